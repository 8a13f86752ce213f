import { Burger, UnstyledButton } from '@mantine/core'
import '@mantine/core/styles/Burger.layer.css'
import { offersReverseShares } from '@floe/contracts'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { PageLink } from '../shared/components/PageLink.tsx'
import { SiteLogo } from '../shared/components/SiteLogo.tsx'
import { lazyPart } from '../shared/lazy-part.ts'
import { paths } from '../shared/paths.ts'
import { useSession } from '../shared/session/session.ts'
import { PALETTE_EVENT } from '../shared/shortcuts.ts'
import { currentEntry } from './current-entry.ts'
import classes from './NavigationBar.module.css'
import { SignOutButton } from './SignOutButton.tsx'

// Only people with an account need the menus; a visitor's page goes without their code.
const AccountMenus = lazyPart(
  () => import('./AccountMenus.tsx'),
  ({ AccountMenus }) => AccountMenus,
)

interface NavigationEntry {
  to: string
  label: string
}

function useEntries(): { bar: NavigationEntry[]; menu: NavigationEntry[] } {
  const { t } = useTranslation()
  const { user, settings } = useSession()
  const upload = { to: paths.upload, label: t('nav.upload') }
  if (user) {
    return {
      bar: [upload],
      menu: [
        upload,
        { to: paths.myShares, label: t('nav.myShares') },
        ...(offersReverseShares(settings)
          ? [{ to: paths.reverseShares, label: t('nav.reverseShares') }]
          : []),
        { to: paths.account, label: t('nav.myAccount') },
        ...(user.isAdmin ? [{ to: paths.admin, label: t('nav.administration') }] : []),
      ],
    }
  }
  const bar = [
    ...(settings['general.showHomePage'] ? [{ to: paths.home, label: t('nav.home') }] : []),
    ...(settings['share.allowUnauthenticatedShares'] ? [upload] : []),
    { to: paths.signIn, label: t('nav.signIn') },
    ...(settings['share.allowRegistration'] ? [{ to: paths.signUp, label: t('nav.signUp') }] : []),
  ]
  return { bar, menu: bar }
}

/** The bar on top of every page. */
export function NavigationBar() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { user } = useSession()
  const { bar, menu } = useEntries()
  const [openAt, setOpenAt] = useState<string | null>(null)
  // The menu belongs to the page it was opened on: going elsewhere closes it.
  const opened = openAt === pathname
  const toggle = () => setOpenAt(opened ? null : pathname)

  return (
    <header className={classes.header}>
      <div className={classes.inner}>
        <Brand />
        <nav className={classes.bar} aria-label={t('nav.label')}>
          {bar.map((entry) => (
            <EntryLink key={entry.to} {...entry} current={currentEntry(pathname, entry.to)} />
          ))}
          {user && (
            <Suspense fallback={<span className={classes.menusPlace} />}>
              <AccountMenus user={user} />
            </Suspense>
          )}
        </nav>
        <Burger
          className={classes.burger}
          opened={opened}
          onClick={toggle}
          size="sm"
          aria-label={t(opened ? 'nav.close' : 'nav.open')}
          aria-expanded={opened}
        />
      </div>
      {opened && (
        <nav className={classes.sheet} aria-label={t('nav.label')}>
          {menu.map((entry) => (
            <EntryLink key={entry.to} {...entry} current={currentEntry(pathname, entry.to)} />
          ))}
          {user && (
            <UnstyledButton
              className={classes.link ?? ''}
              onClick={() => window.dispatchEvent(new Event(PALETTE_EVENT))}
            >
              {t('nav.palette')}
            </UnstyledButton>
          )}
          {user && <SignOutButton className={classes.link} />}
        </nav>
      )}
    </header>
  )
}

/** The bar before the application knows what to do with a press. */
export function BarPreview() {
  return (
    <header className={classes.header}>
      <div className={classes.inner}>
        <Brand />
      </div>
    </header>
  )
}

function Brand() {
  const { settings } = useSession()
  return (
    <PageLink to={paths.home} className={classes.brand}>
      <SiteLogo edge={35} alt="logo" />
      <span>{settings['general.appName']}</span>
    </PageLink>
  )
}

function EntryLink({
  to,
  label,
  current,
}: NavigationEntry & { current: ReturnType<typeof currentEntry> }) {
  return (
    <PageLink
      to={to}
      className={classes.link}
      aria-current={current}
      aria-keyshortcuts={to === paths.upload ? 'u' : undefined}
    >
      {label}
    </PageLink>
  )
}
