import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import classes from './Layout.module.css'
import { NavigationBar } from './NavigationBar.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'

/** The navigation bar and, under it, the page. */
export function Layout() {
  const { t } = useTranslation()
  return (
    <>
      <a href="#main" className={classes.skip}>
        {t('nav.skip')}
      </a>
      <NavigationBar />
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
      </Suspense>
    </>
  )
}
