import type { Boot } from './boot.ts'

/** Whether this is a page of the site that anybody sees, and not what only a link leads to. */
export function isShownToStrangers(path: string, settings: Boot['settings']): boolean {
  switch (path) {
    case '/':
      return settings['general.showHomePage'] === true
    case '/auth/signIn':
      return true
    case '/auth/signUp':
      return settings['share.allowRegistration'] === true
    case '/upload':
      return settings['share.allowUnauthenticatedShares'] === true
    default:
      return false
  }
}
