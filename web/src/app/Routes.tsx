import { pageNames, pageRow } from '@floe/contracts'
import type { i18n } from 'i18next'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, type RouteObject, useLocation, useRoutes } from 'react-router'
import { addRestOfCatalogue, hasAllTexts } from '../shared/i18n/i18n.ts'
import { lazyPart } from '../shared/lazy-part.ts'
import { useSession } from '../shared/session/session.ts'
import { guard } from './guard.ts'
import { Layout } from './Layout.tsx'
import { notFoundModule, type PageModule, pageModules } from './page-modules.ts'
import { PageSkeleton } from './PageSkeleton.tsx'
import { findArrivedPage, loadPage, needsAllTexts } from './pages.ts'

/** One that has arrived shows at once, without the stand-in for what is on its way. */
function lazyPage(module: PageModule) {
  const Late = lazyPart(
    () => loadPage(module),
    (Page) => Page,
  )
  return function RoutedPage() {
    const [Page] = useState(() => findArrivedPage(module) ?? Late)
    return <Page />
  }
}

const pageRoutes = pageNames.map((name) => {
  const { path, isBare = false } = pageRow(name)
  const Page = lazyPage(pageModules[name])
  // As the gateway reads it.
  const route: RouteObject = { path, caseSensitive: true, element: <Page /> }
  return { route, isBare, needsAllTexts: needsAllTexts(name) }
})

const NotFound = lazyPage(notFoundModule)

/** Lets a page show once the language is there in full; a share's page needs only its frame. */
function lazyOutlet(i18n: i18n) {
  if (hasAllTexts(i18n)) return Outlet
  return lazyPart(
    () => addRestOfCatalogue(i18n),
    () => Outlet,
  )
}

function createRoutes(i18n: i18n): RouteObject[] {
  const AllTexts = lazyOutlet(i18n)
  const barePages = pageRoutes.filter(({ isBare }) => isBare)
  const framedPages = pageRoutes.filter(({ isBare }) => !isBare)
  return [
    {
      element: (
        <Suspense fallback={<PageSkeleton />}>
          <AllTexts />
        </Suspense>
      ),
      children: barePages.map(({ route }) => route),
    },
    {
      element: <Layout />,
      children: [
        ...framedPages.filter((page) => !page.needsAllTexts).map(({ route }) => route),
        {
          element: <AllTexts />,
          children: [
            ...framedPages.filter((page) => page.needsAllTexts).map(({ route }) => route),
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ]
}

/** The guard in front of the pages, then the page of the address. */
export function Routes() {
  const { i18n } = useTranslation()
  const { pathname, search } = useLocation()
  const { user, settings, isSetUp, landing } = useSession()
  const [routes] = useState(() => createRoutes(i18n))
  const page = useRoutes(routes)
  const elsewhere = guard({
    path: pathname,
    search,
    settings,
    visitor: {
      isSignedIn: user !== null,
      isAdmin: user?.isAdmin ?? false,
      lacksSecondFactor: user?.mustSetUpSecondFactor ?? false,
      isSetUp,
      landing,
    },
  })
  return elsewhere === null ? page : <Navigate to={elsewhere} replace />
}
