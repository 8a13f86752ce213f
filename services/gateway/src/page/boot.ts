import {
  ACCESS_TOKEN_COOKIE,
  type AdminPort,
  type AuthPort,
  configCatalogue,
  defaultSettings,
  isConfigKey,
  type Settings,
  type UserView,
} from '@floe/contracts'
import { parseCookies } from '@floe/http'
import type { Request } from 'express'
import type { GatewayLog } from '../edge/request-log.ts'
import { chooseLanguage } from './language.ts'

export type ColorScheme = 'light' | 'dark' | 'auto'

/** What the page starts with, so that its first paint needs no further request. */
export interface Boot {
  user: UserView | null
  /** Public settings, effective values. */
  settings: Partial<Settings>
  language: string
  colorScheme: ColorScheme
  version: string
  /** A hint when to renew; in the past for a session that can only be renewed. */
  accessTokenExpiresAt: string | null
}

export interface BootDependencies {
  ports: { auth: Pick<AuthPort, 'identify'>; admin: Pick<AdminPort, 'settings'> }
  version: string
  log: GatewayLog
}

export type BootReader = (req: Request) => Promise<Boot>

/**
 * A service that does not answer leaves its part at the last known or default value: the page
 * still loads, and shows what is wrong when it asks for more.
 */
export function createBootReader({ ports, version, log }: BootDependencies): BootReader {
  let lastSettings = defaultSettings()

  async function readUser(accessToken: string | undefined): Promise<UserView | null> {
    if (accessToken === undefined || accessToken === '') return null
    try {
      const identity = await ports.auth.identify({ accessToken })
      if (identity === null) return null
      const { userId, username, email, isAdmin } = identity
      return { id: userId, username, email, isAdmin, totpVerified: false }
    } catch (err) {
      log.warn({ err }, 'the page is sent without its user')
      return null
    }
  }

  async function readSettings(): Promise<Settings> {
    try {
      lastSettings = await ports.admin.settings({})
    } catch (err) {
      log.warn({ err }, 'the page is sent with the last known settings')
    }
    return lastSettings
  }

  return async (req) => {
    const cookies = parseCookies(req)
    const accessToken = cookies.get(ACCESS_TOKEN_COOKIE)
    const [user, settings] = await Promise.all([readUser(accessToken), readSettings()])
    return {
      user,
      settings: publicSettings(settings),
      language: chooseLanguage(cookies.get('language'), req.get('accept-language')),
      colorScheme: toColorScheme(cookies.get('mantine-color-scheme')),
      version,
      accessTokenExpiresAt: tokenExpiry(accessToken),
    }
  }
}

/** By allow-list: a key the catalogue does not call public never reaches a page. */
export function publicSettings(settings: Settings): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(settings).filter(([key]) => isConfigKey(key) && configCatalogue[key].public),
  )
}

/** The `exp` of a token, unverified: only a hint for the page. */
export function tokenExpiry(accessToken: string | undefined): string | null {
  const payload = accessToken?.split('.')[1]
  if (payload === undefined) return null
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: unknown }
    return typeof exp === 'number' ? new Date(exp * 1000).toISOString() : null
  } catch {
    return null
  }
}

function toColorScheme(value: string | undefined): ColorScheme {
  return value === 'light' || value === 'dark' ? value : 'auto'
}
