import { maySee, offersReverseShares, type PageName, pagePath, pages } from '@floe/contracts'
import {
  type Icon,
  IconHome,
  IconInbox,
  IconFolders,
  IconKey,
  IconLogin,
  IconSettings,
  IconShare,
  IconUser,
  IconUserPlus,
  IconUsers,
  IconListDetails,
  IconAdjustments,
  IconWebhook,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/session.ts'
import { categories } from '../../shared/settings/setting-places.ts'
import type { Entry } from './entry.ts'

/** Those that an address without anything else in it leads to, and that somebody would go to. */
const icons = {
  home: IconHome,
  myShares: IconFolders,
  reverseShares: IconInbox,
  account: IconUser,
  signIn: IconLogin,
  signUp: IconUserPlus,
  resetPassword: IconKey,
  admin: IconSettings,
  adminUsers: IconUsers,
  adminShares: IconShare,
  adminAudit: IconListDetails,
  adminWebhooks: IconWebhook,
} as const satisfies Partial<Record<PageName, Icon>>

type ListedPage = keyof typeof icons

function isListed(name: string): name is ListedPage {
  return name in icons
}

/** The pages that this person may see. */
export function usePageEntries(): Entry[] {
  const { t } = useTranslation()
  const { user, settings } = useSession()
  const isAdmin = user?.isAdmin ?? false
  const viewer = { isSignedIn: user !== null, isAdmin }
  const listed = Object.keys(icons)
    .filter(isListed)
    .filter((name) => maySee(name, viewer, settings))
    .filter((name) => name !== 'reverseShares' || offersReverseShares(settings))
    .map((name): Entry => {
      const act = pagePath(name)
      const label = t(pages[name].title)
      return { id: act, group: 'pages', icon: icons[name], label, isOffered: true, act }
    })
  if (!isAdmin) return listed
  const configuration: Entry = {
    ...{ id: 'configuration', group: 'pages', icon: IconAdjustments, isOffered: true },
    label: t('admin.configuration'),
    act: paths.adminConfig('general'),
  }
  const ofCategories = categories.map((category): Entry => {
    const act = paths.adminConfig(category)
    return {
      ...{ id: act, group: 'pages', icon: IconAdjustments, isOffered: false, act },
      label: t(`admin.categories.${category}`),
      detail: t('admin.configuration'),
    }
  })
  return [...listed, configuration, ...ofCategories]
}
