import {
  ACCESS_TOKEN_COOKIE,
  type AuthPort,
  type Boot,
  type ForeseenShare,
  type Identity,
  isConfigKey,
  isPageSetting,
  legalLinks,
  mustVerifyEmail,
  type PublicSettings,
  type RequestCredentials,
  type Settings,
  SHARE_ID_PATTERN,
  type SharePort,
} from '@floe/contracts'
import { isAppError } from '@floe/errors'
import { parseCookies, requestCredentials, requestLanguage, statusOf } from '@floe/http'
import type { Request } from 'express'
import type { GatewayLog } from '../edge/request-log.ts'
import { isOfEncrypted, shareOf } from './share-page.ts'
import { siteStyleVersions } from './site-styles.ts'
import type { Site } from './site.ts'

export interface BootDependencies {
  ports: {
    auth: Pick<AuthPort, 'identify' | 'countUsers'>
    share: Pick<SharePort, 'authorizeRead'>
  }
  site: Site
  /** The same for everybody. */
  product: Pick<Boot, 'version' | 'demo'>
  log: GatewayLog
}

export type BootReader = (req: Request) => Promise<Boot>

/**
 * A service that does not respond leaves its part at the last known or default value: the page
 * still loads, and shows what is wrong when it asks for more.
 */
export function createBootReader({ ports, site, product, log }: BootDependencies): BootReader {
  async function readUser(accessToken: string | undefined): Promise<Boot['user']> {
    if (accessToken === undefined || accessToken === '') return null
    try {
      const identity = await ports.auth.identify({ accessToken, beforeSecondFactor: true })
      return identity && toBootUser(identity, await site.settings())
    } catch (err) {
      log.warn({ err }, 'page sent without its user')
      return null
    }
  }

  /** Asked while nobody has set the site up: later there is always an account. */
  async function readHasAccounts(isSetUp: boolean): Promise<boolean> {
    if (isSetUp) return true
    try {
      return (await ports.auth.countUsers({})).count > 0
    } catch (err) {
      log.warn({ err }, 'page sent as if there were accounts')
      return true
    }
  }

  async function foresee(
    shareId: string,
    credentials: RequestCredentials,
  ): Promise<Omit<ForeseenShare, 'id'>> {
    try {
      await ports.share.authorizeRead({ shareId, access: 'visit', credentials })
      return { refusal: null }
    } catch (err) {
      if (!isAppError(err) || statusOf(err) >= 500) throw err
      return { refusal: err.code, ...(isOfEncrypted(err) && { isEncrypted: true }) }
    }
  }

  async function readShare(req: Request): Promise<Boot['share']> {
    const shareId = shareOf(req.path)
    if (shareId === null || !SHARE_ID_PATTERN.test(shareId)) return undefined
    try {
      return { id: shareId, ...(await foresee(shareId, requestCredentials(req, shareId))) }
    } catch (err) {
      log.warn({ err }, 'page sent without the state of its share')
      return undefined
    }
  }

  return async (req) => {
    const cookies = parseCookies(req)
    const accessToken = cookies.get(ACCESS_TOKEN_COOKIE)
    const [user, settings, logos, isSetUp, share] = await Promise.all([
      readUser(accessToken),
      site.settings(),
      site.logos(),
      site.isSetUp(),
      readShare(req),
    ])
    const accessTokenExpiresAt = tokenExpiry(accessToken)
    // Its owner's session may only have to be renewed, which the page does before it asks.
    const isRefusalSure = user !== null || accessTokenExpiresAt === null
    return {
      user,
      settings: publicSettings(settings),
      legal: legalLinks(settings),
      styles: siteStyleVersions(settings),
      logo: logos.light,
      darkLogo: logos.dark,
      isSetUp,
      hasAccounts: await readHasAccounts(isSetUp),
      language: requestLanguage(req) ?? settings['general.defaultLanguage'],
      colorScheme: toColorScheme(cookies.get('mantine-color-scheme'), settings),
      accessTokenExpiresAt,
      ...product,
      ...(share && (share.refusal === null || isRefusalSure) && { share }),
    }
  }
}

function toBootUser(identity: Identity, settings: Settings): Boot['user'] {
  const { userId: id, username, email, isAdmin, hasPassword, totpVerified } = identity
  const { shareSizeLimit = null, sharingExceptions = {} } = identity
  const hasExceptions = Object.keys(sharingExceptions).length > 0
  return {
    ...{ id, username, email, isAdmin, hasPassword, totpVerified, shareSizeLimit },
    ...(hasExceptions && { sharingExceptions }),
    ...(identity.isLdap && { isLdap: true }),
    ...(identity.mustSetUpSecondFactor && { mustSetUpSecondFactor: true }),
    ...(mustVerifyEmail(identity, settings) && { mustVerifyEmail: true }),
  }
}

/** By allow-list: a key the catalogue does not call public never reaches a page, nor a long text. */
export function publicSettings(settings: Settings): PublicSettings {
  return Object.fromEntries(
    Object.entries(settings).filter(([key]) => isConfigKey(key) && isPageSetting(key)),
  ) as PublicSettings
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

function toColorScheme(chosen: string | undefined, settings: Settings): Boot['colorScheme'] {
  const scheme = chosen ?? settings['appearance.colorScheme']
  return scheme === 'light' || scheme === 'dark' ? scheme : 'auto'
}
