import {
  ACCESS_TOKEN_COOKIE,
  type AuthPort,
  configCatalogue,
  type ErrorCode,
  isConfigKey,
  type Language,
  type RequestCredentials,
  type Settings,
  SHARE_ID_PATTERN,
  type SharePort,
  type UserView,
} from '@floe/contracts'
import { isAppError } from '@floe/errors'
import { parseCookies, requestCredentials, requestLanguage, statusOf } from '@floe/http'
import type { Request } from 'express'
import type { GatewayLog } from '../edge/request-log.ts'
import type { Site } from './site.ts'

export type ColorScheme = 'light' | 'dark' | 'auto'

/** What the page starts with, so that its first paint needs no further request. */
export interface Boot {
  user: UserView | null
  /** Public settings, effective values. */
  settings: Partial<Settings>
  /** The version of the logo; `null` for the one that the product comes with. */
  logo: string | null
  /** Whether the welcome of the first run is over. */
  isSetUp: boolean
  language: Language
  colorScheme: ColorScheme
  version: string
  /** A hint when to renew; in the past for a session that can only be renewed. */
  accessTokenExpiresAt: string | null
  /**
   * On a share's page: why this visitor would be refused, `null` if not at all. It is what the API
   * would answer, told ahead so that the page asks once, and for the right thing. Nothing is
   * counted: link previews and crawlers cost no view.
   */
  share?: { id: string; refusal: ErrorCode | null }
}

export interface BootDependencies {
  ports: {
    auth: Pick<AuthPort, 'identify'>
    share: Pick<SharePort, 'authorizeRead'>
  }
  site: Site
  version: string
  log: GatewayLog
}

export type BootReader = (req: Request) => Promise<Boot>

/**
 * A service that does not answer leaves its part at the last known or default value: the page
 * still loads, and shows what is wrong when it asks for more.
 */
export function createBootReader({ ports, site, version, log }: BootDependencies): BootReader {
  async function readUser(accessToken: string | undefined): Promise<UserView | null> {
    if (accessToken === undefined || accessToken === '') return null
    try {
      const identity = await ports.auth.identify({ accessToken })
      if (identity === null) return null
      const { userId, username, email, isAdmin, hasPassword, totpVerified } = identity
      return { id: userId, username, email, isAdmin, hasPassword, totpVerified }
    } catch (err) {
      log.warn({ err }, 'page sent without its user')
      return null
    }
  }

  async function refusalOf(
    shareId: string,
    credentials: RequestCredentials,
  ): Promise<ErrorCode | null> {
    try {
      await ports.share.authorizeRead({ shareId, access: 'visit', credentials })
      return null
    } catch (err) {
      if (isAppError(err) && statusOf(err) < 500) return err.code
      throw err
    }
  }

  async function readShare(req: Request): Promise<Boot['share']> {
    const shareId = /^\/share\/([^/]+)$/.exec(req.path)?.[1]
    if (shareId === undefined || !SHARE_ID_PATTERN.test(shareId)) return undefined
    const credentials = requestCredentials(req, shareId)
    // As the API does for the share itself: only the visit's cookie opens it.
    const visitor = { ...credentials, accessToken: null, ownerToken: null }
    try {
      const refusal = await refusalOf(shareId, visitor)
      // A private share opens to whoever it is for, by who they are.
      const isJudged = refusal === 'private_share' && credentials.accessToken !== null
      return { id: shareId, refusal: isJudged ? await refusalOf(shareId, credentials) : refusal }
    } catch (err) {
      log.warn({ err }, 'page sent without the state of its share')
      return undefined
    }
  }

  return async (req) => {
    const cookies = parseCookies(req)
    const accessToken = cookies.get(ACCESS_TOKEN_COOKIE)
    const [user, settings, logo, isSetUp, share] = await Promise.all([
      readUser(accessToken),
      site.settings(),
      site.logo(),
      site.isSetUp(),
      readShare(req),
    ])
    return {
      user,
      settings: publicSettings(settings),
      logo,
      isSetUp,
      language: requestLanguage(req),
      colorScheme: toColorScheme(cookies.get('mantine-color-scheme')),
      version,
      accessTokenExpiresAt: tokenExpiry(accessToken),
      ...(share && { share }),
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
