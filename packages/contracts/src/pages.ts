import type { Settings } from './config-catalogue.ts'

/** `visitors` are people who are not signed in. */
export type Audience = 'everyone' | 'visitors' | 'users' | 'administrators'

type SwitchSetting = {
  [Key in keyof Settings]: Settings[Key] extends boolean ? Key : never
}[keyof Settings]

export interface PageRow {
  path: string
  audience: Audience
  /** The setting without which the page is closed. */
  needs?: SwitchSetting
  /** The setting that opens a page of users to visitors, too. */
  opensWith?: SwitchSetting
  /** Its name in the catalogues of texts. */
  title: string
  /** The part of the catalogue that it needs first: all of it, unless the frame's texts suffice. */
  texts?: 'frame'
  /** It has no navigation bar. */
  isBare?: true
  /** Search engines may list it where visitors see it. */
  isListed?: true
}

/**
 * Every page of the web application. The application's router, guard and prefetch read this table,
 * and so does the gateway: a path that is not in here is 404.
 */
export const pages = {
  home: {
    path: '/',
    audience: 'visitors',
    needs: 'general.showHomePage',
    title: 'home.title',
    isListed: true,
  },
  signIn: {
    path: '/auth/signIn',
    audience: 'visitors',
    title: 'auth.signIn.title',
    isListed: true,
  },
  signUp: {
    path: '/auth/signUp',
    audience: 'visitors',
    needs: 'share.allowRegistration',
    title: 'auth.signUp.title',
    isListed: true,
  },
  totp: { path: '/auth/totp/:loginToken', audience: 'visitors', title: 'auth.totp.title' },
  resetPassword: {
    path: '/auth/resetPassword',
    audience: 'visitors',
    needs: 'smtp.enabled',
    title: 'auth.reset.title',
  },
  // Messages lead to these two: the token is the permission, signed in or not, mail or no mail.
  newPassword: {
    path: '/auth/resetPassword/:token',
    audience: 'everyone',
    title: 'auth.newPassword.title',
  },
  confirmEmail: { path: '/auth/verify/:token', audience: 'everyone', title: 'auth.verify.title' },
  upload: {
    path: '/upload',
    audience: 'users',
    opensWith: 'share.allowUnauthenticatedShares',
    title: 'upload.title',
    isListed: true,
  },
  reverseUpload: { path: '/upload/:token', audience: 'everyone', title: 'send.title' },
  share: { path: '/share/:id', audience: 'everyone', title: 'share.title', texts: 'frame' },
  // Who has the secret may delete the share: scripts get this address with the link.
  deleteShare: { path: '/delete/:id/:secret', audience: 'everyone', title: 'common.delete' },
  editShare: { path: '/share/:id/edit', audience: 'users', title: 'edit.title' },
  shareActivity: { path: '/share/:id/activity', audience: 'users', title: 'activity.title' },
  account: { path: '/account', audience: 'users', title: 'account.title' },
  device: { path: '/device', audience: 'users', title: 'device.title' },
  myShares: { path: '/account/shares', audience: 'users', title: 'myShares.title' },
  reverseShares: {
    path: '/account/reverseShares',
    audience: 'users',
    title: 'reverseShares.title',
  },
  admin: { path: '/admin', audience: 'administrators', title: 'admin.title' },
  adminIntro: { path: '/admin/intro', audience: 'administrators', title: 'intro.title' },
  adminUsers: { path: '/admin/users', audience: 'administrators', title: 'admin.users.title' },
  adminShares: { path: '/admin/shares', audience: 'administrators', title: 'admin.shares.title' },
  adminAudit: { path: '/admin/audit', audience: 'administrators', title: 'audit.title' },
  adminWebhooks: {
    path: '/admin/webhooks',
    audience: 'administrators',
    title: 'webhooks.title',
  },
  adminConfig: {
    path: '/admin/config/:category',
    audience: 'administrators',
    title: 'admin.configuration',
    isBare: true,
  },
  // What stands on them is written in the settings; without it there is no such page.
  imprint: { path: '/imprint', audience: 'everyone', title: 'nav.imprint', texts: 'frame' },
  privacy: { path: '/privacy', audience: 'everyone', title: 'nav.privacy', texts: 'frame' },
  // Of people with an account and of those without.
  storedData: { path: '/stored-data', audience: 'everyone', title: 'storedData.title' },
  error: { path: '/error', audience: 'everyone', title: 'errorPage.title' },
} as const satisfies Record<string, PageRow>

export type PageName = keyof typeof pages

export const pageNames = Object.keys(pages) as PageName[]

/** What stands at every other path. */
export const notFoundPage = { title: 'notFound.title' } as const

export type PageTitleKey = (typeof pages)[PageName]['title'] | (typeof notFoundPage)['title']

/** The short address of a share, which the gateway redirects to its page. */
export const SHORT_SHARE_PATH = '/s/:id'

type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type PageParameters<Name extends PageName> = Parameters<(typeof pages)[Name]['path']>

/** The row of a page, with all its columns. */
export function pageRow(name: PageName): PageRow {
  return pages[name]
}

/** The address of a page. */
export function pagePath<Name extends PageName>(
  name: Name,
  ...[parameters]: [PageParameters<Name>] extends [never]
    ? []
    : [parameters: Record<PageParameters<Name>, string>]
): string {
  return fillPath(pages[name].path, parameters ?? {})
}

export function shortSharePath(id: string): string {
  return fillPath(SHORT_SHARE_PATH, { id })
}

function fillPath(path: string, parameters: Record<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
}

/** `null` where there is no page. Case counts; a slash at the end does not. */
export function findPage(path: string): PageName | null {
  return pageNames.find((name) => isAt(pages[name].path, path)) ?? null
}

function isAt(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.replace(/(?<=[^/])\/$/, '').split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') ? given[at] !== '' : given[at] === part))
  )
}

export interface Viewer {
  isSignedIn: boolean
  isAdmin: boolean
}

export function maySee(name: PageName, viewer: Viewer, settings: Partial<Settings>): boolean {
  const { audience, needs, opensWith } = pageRow(name)
  switch (audience) {
    case 'everyone':
      return true
    case 'visitors':
      return !viewer.isSignedIn && (needs === undefined || settings[needs] === true)
    case 'users':
      return viewer.isSignedIn || (opensWith !== undefined && settings[opensWith] === true)
    case 'administrators':
      return viewer.isAdmin
  }
}

/** Whether menus lead to reverse shares. Their page stays: it has what was received before. */
export function offersReverseShares(settings: Pick<Settings, 'share.reverseShares'>): boolean {
  return settings['share.reverseShares'] !== 'off'
}

/** Whether search engines may list what is at a path: what only a link leads to stays unlisted. */
export function isListed(path: string, settings: Partial<Settings>): boolean {
  const name = findPage(path)
  if (name === null || !pageRow(name).isListed) return false
  return maySee(name, { isSignedIn: false, isAdmin: false }, settings)
}
