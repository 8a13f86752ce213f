import {
  findPage,
  maySee,
  type PageName,
  pageRow,
  type PublicSettings,
  type Viewer,
} from '@floe/contracts'
import { paths, safeRedirect } from '../shared/paths.ts'

export interface Visitor extends Viewer {
  /** Nothing else may be done before a second factor is set up. */
  lacksSecondFactor?: boolean
  /** Whether the welcome of the first run is over. */
  isSetUp: boolean
  /** Where a sign-in that just happened wanted to go. */
  landing: string | null
}

interface Visit {
  path: string
  search: string
  visitor: Visitor
  settings: PublicSettings
}

/** Where this visitor is sent instead of `path`; `null` where the page, or "not found", shows. */
export function guard(visit: Visit): string | null {
  const { path, search, visitor, settings } = visit
  const page = findPage(path)
  if (page === null) return null
  const mayOnlySetUp = visitor.lacksSecondFactor && pageRow(page).audience !== 'everyone'
  if (mayOnlySetUp) return page === 'account' ? null : paths.account
  if (maySee(page, visitor, settings)) return null
  const isForVisitors = pageRow(page).audience === 'visitors'
  if (visitor.isSignedIn) return isForVisitors ? nextPage(page, visit) : paths.upload
  return isForVisitors ? openPage(page, settings) : paths.signInAndReturn(path + search)
}

/** For somebody who is signed in, on a page that is for others. */
function nextPage(page: PageName, { search, visitor }: Visit): string {
  if (page === 'home') {
    return visitor.isAdmin && !visitor.isSetUp ? paths.adminIntro : paths.upload
  }
  const redirect = safeRedirect(new URLSearchParams(search).get('redirect'))
  return visitor.landing ?? redirect ?? paths.upload
}

/** For a visitor, on a page that the settings close. */
function openPage(page: PageName, settings: PublicSettings): string {
  if (page !== 'home') return settings['general.showHomePage'] ? paths.home : paths.signIn
  return settings['share.allowUnauthenticatedShares'] ? paths.upload : paths.signIn
}
