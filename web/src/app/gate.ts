import type { Settings } from '@floe/contracts'
import { paths, safeRedirect } from '../shared/paths.ts'

export interface Visitor {
  signedIn: boolean
  isAdmin: boolean
  /** Whether the welcome of the first run is over. */
  isSetUp: boolean
  /** Where a sign-in that just happened wanted to go. */
  landing: string | null
}

/** What a message leads to: open to whoever holds the token, signed in or not, mail or no mail. */
const messagePages = /^\/auth\/(?:resetPassword|verify)\/[^/]+\/?$/
const resetRequestPage = /^\/auth\/resetPassword\/?$/
const publicPages = /^\/(?:share|s)\/[^/]+\/?$|^\/upload\/[^/]+\/?$|^\/error\/?$/

/** Where this visitor is sent instead of `path`, or `null` when the page may show. First rule wins. */
export function gate({
  path,
  search,
  visitor,
  settings,
}: {
  path: string
  search: string
  visitor: Visitor
  settings: Settings
}): string | null {
  const anonymousAllowed = settings['share.allowUnauthenticatedShares']
  const isHome = path === paths.home
  const isAuth = path.startsWith('/auth/')

  if (messagePages.test(path)) return null
  const isClosed =
    (path === paths.signUp && !settings['share.allowRegistration']) ||
    (resetRequestPage.test(path) && !settings['smtp.enabled'])
  if (isClosed && !visitor.signedIn) {
    return settings['general.showHomePage'] ? paths.home : paths.signIn
  }
  if (visitor.signedIn && isAuth) {
    return (
      visitor.landing ?? safeRedirect(new URLSearchParams(search).get('redirect')) ?? paths.upload
    )
  }
  if (!visitor.signedIn) {
    const isPublic =
      publicPages.test(path) || isHome || isAuth || (anonymousAllowed && path === paths.upload)
    if (!isPublic) return paths.signInAndReturn(path + search)
  }
  if (path.startsWith('/admin') && !visitor.isAdmin) return paths.upload
  if (isHome && visitor.signedIn) {
    return visitor.isAdmin && !visitor.isSetUp ? paths.adminIntro : paths.upload
  }
  if (isHome && !settings['general.showHomePage']) {
    return anonymousAllowed ? paths.upload : paths.signIn
  }
  return null
}
