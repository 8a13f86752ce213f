import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  type Demo,
  type LegalLinks,
  legalLinks,
  type LogoVersions,
  type PublicSettings,
  type UserView,
} from '@floe/contracts'
import type { i18n } from 'i18next'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { BrowserRouter } from 'react-router'
import { HttpContext } from '../shared/api/http-context.ts'
import { type HttpClient, TOKEN_CHECK_MS } from '../shared/api/http-client.ts'
import { LeaveGate } from '../shared/leave/LeaveGate.tsx'
import { PrefetchContext } from '../shared/prefetch.ts'
import { type Session, SessionContext } from '../shared/session/session.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { CommandPalette } from './CommandPalette.tsx'
import { DemoBanner } from './DemoBanner.tsx'
import { LegalFooter } from './LegalFooter.tsx'
import { Notices } from './Notices.tsx'
import { PageNews } from './PageNews.tsx'
import { preparePage } from './pages.ts'
import { Routes } from './Routes.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import { ThemeProvider } from './ThemeProvider.tsx'
import { translateTheme } from './translate-theme.ts'
import { UploadDeskProvider } from './UploadDeskProvider.tsx'

interface AppProps {
  http: HttpClient
  i18n: i18n
  queryClient: QueryClient
  start: {
    user: UserView | null
    settings: PublicSettings
    legal: LegalLinks
    logos: LogoVersions
    isSetUp: boolean
    hasAccounts: boolean
    version: string
    demo?: Demo | undefined
  }
}

function useOwnSession(start: AppProps['start']): Session {
  const [user, setUser] = useState(start.user)
  const [settings, setSettings] = useState(start.settings)
  const [legal, setLegal] = useState(start.legal)
  const [logos, setLogos] = useState(start.logos)
  const [isSetUp, setSetUp] = useState(start.isSetUp)
  const [landing, setLanding] = useState<string | null>(null)
  return useMemo(
    () => ({
      user,
      settings,
      legal,
      logos,
      isSetUp,
      hasAccounts: start.hasAccounts,
      landing,
      version: start.version,
      demo: start.demo,
      signedIn(newUser, path) {
        setLanding(path)
        setUser(newUser)
      },
      changeUser: setUser,
      changeSettings(newSettings) {
        setSettings(newSettings)
        setLegal(legalLinks(newSettings))
      },
      changeLogo: (variant, version) => setLogos((before) => ({ ...before, [variant]: version })),
      finishSetup: () => setSetUp(true),
    }),
    [user, settings, legal, logos, isSetUp, start.hasAccounts, landing, start.version, start.demo],
  )
}

function useTokenRenewal(http: HttpClient): void {
  useEffect(() => {
    const timer = setInterval(() => void http.renewIfEnding(), TOKEN_CHECK_MS)
    return () => clearInterval(timer)
  }, [http])
}

/** Signed out elsewhere: the site is loaded anew, so that nothing of the account stays in memory. */
function useSessionEnd(http: HttpClient, user: UserView | null): void {
  const isSignedIn = user !== null
  useEffect(
    () => (isSignedIn ? http.onSessionEnd(() => window.location.reload()) : undefined),
    [http, isSignedIn],
  )
}

/** The providers around every page. */
export function App({ http, i18n, queryClient, start }: AppProps) {
  const session = useOwnSession(start)
  useTokenRenewal(http)
  useSessionEnd(http, session.user)
  const theme = useMemo(() => translateTheme(i18n), [i18n])
  const prefetchPage = useCallback(
    (path: string) =>
      void preparePage(new URL(path, window.location.origin).pathname, i18n.language),
    [i18n],
  )

  return (
    <ThemeProvider theme={theme}>
      <I18nextProvider i18n={i18n}>
        <HttpContext value={http}>
          <QueryClientProvider client={queryClient}>
            <SessionContext value={session}>
              <PrefetchContext value={prefetchPage}>
                <Notices />
                <Shortcuts />
                <BrowserRouter>
                  <LeaveGate>
                    <CommandPalette />
                    <UploadDeskProvider>
                      <ErrorBoundary>
                        <DemoBanner />
                        <PageNews>
                          <Routes />
                        </PageNews>
                        <LegalFooter />
                      </ErrorBoundary>
                    </UploadDeskProvider>
                  </LeaveGate>
                </BrowserRouter>
              </PrefetchContext>
            </SessionContext>
          </QueryClientProvider>
        </HttpContext>
      </I18nextProvider>
    </ThemeProvider>
  )
}
