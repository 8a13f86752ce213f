import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { SkipLink } from '../shared/components/SkipLink.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { NavigationBar } from './NavigationBar.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'

/** The navigation bar and, under it, the page. */
export function Layout() {
  return (
    <>
      <SkipLink />
      <NavigationBar />
      <ErrorBoundary>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </>
  )
}
