import { ActionIcon, Avatar, Menu } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Avatar.layer.css'
import { offersReverseShares, type UserView } from '@floe/contracts'
import {
  IconFolders,
  IconInbox,
  IconKeyboard,
  IconLogout,
  IconSearch,
  IconSettings,
  IconShare,
  IconUser,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { PageLink } from '../shared/components/PageLink.tsx'
import { paths } from '../shared/paths.ts'
import { PALETTE_EVENT, PALETTE_KEYS, SHORTCUTS_EVENT } from '../shared/shortcuts.ts'
import classes from './AccountMenus.module.css'
import { currentEntry } from './current-entry.ts'
import { useSession } from '../shared/session/session.ts'
import { useSignOut } from '../shared/session/use-sign-out.ts'

const icon = { size: 17, stroke: 1.7 }
const sharesPages: readonly string[] = [paths.myShares, paths.reverseShares]
const accountPages = [paths.account, paths.admin]

/** The shares menu and the avatar menu of someone signed in. */
export function AccountMenus({ user }: { user: UserView }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { settings } = useSession()
  const signOut = useSignOut()
  const entry = (to: string) =>
    ({
      component: PageLink,
      to,
      className: classes.entry,
      'aria-current': currentEntry(pathname, to),
    }) as const
  return (
    <>
      <PaletteButton />
      <Menu position="bottom-end" radius="md" shadow="md" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon
            variant={sharesPages.includes(pathname) ? 'light' : 'subtle'}
            size={36}
            aria-label={t('nav.shares')}
            title={t('nav.shares')}
          >
            <IconShare {...icon} size={19} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item {...entry(paths.myShares)} leftSection={<IconFolders {...icon} />}>
            {t('nav.myShares')}
          </Menu.Item>
          {offersReverseShares(settings) && (
            <Menu.Item {...entry(paths.reverseShares)} leftSection={<IconInbox {...icon} />}>
              {t('nav.reverseShares')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Menu position="bottom-end" radius="md" shadow="md" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon
            variant="transparent"
            size={40}
            aria-label={t('nav.accountMenu')}
            title={user.username}
          >
            <Avatar
              size={32}
              color="ice"
              variant={
                accountPages.some((page) => currentEntry(pathname, page)) ? 'filled' : 'light'
              }
            >
              <IconUser {...icon} size={19} />
            </Avatar>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item {...entry(paths.account)} leftSection={<IconUser {...icon} />}>
            {t('nav.myAccount')}
          </Menu.Item>
          {user.isAdmin && (
            <Menu.Item {...entry(paths.admin)} leftSection={<IconSettings {...icon} />}>
              {t('nav.administration')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconKeyboard {...icon} />}
            onClick={() => window.dispatchEvent(new Event(SHORTCUTS_EVENT))}
          >
            {t('nav.shortcuts')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => void signOut()}>
            {t('nav.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

function PaletteButton() {
  const { t } = useTranslation()
  return (
    <ActionIcon
      variant="subtle"
      size={36}
      aria-label={t('nav.palette')}
      title={t('nav.palette')}
      aria-keyshortcuts={PALETTE_KEYS}
      onClick={() => window.dispatchEvent(new Event(PALETTE_EVENT))}
    >
      <IconSearch {...icon} size={19} />
    </ActionIcon>
  )
}
