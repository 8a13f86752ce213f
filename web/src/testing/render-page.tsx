import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  type BoundFunctions,
  cleanup,
  configure,
  fireEvent,
  type queries,
  render,
  within,
} from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import {
  defaultSettings,
  type Demo,
  legalLinks,
  type LogoVersions,
  type Settings,
  type UserView,
} from '@floe/contracts'
import { type ReactNode, useMemo, useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { onTestFinished } from 'vitest'
import { Notices } from '../app/Notices.tsx'
import { createQueryClient } from '../app/query-client.ts'
import { UploadDeskProvider } from '../app/UploadDeskProvider.tsx'
import { createHttpClient } from '../shared/api/http-client.ts'
import { HttpContext } from '../shared/api/http-context.ts'
import { createI18n } from '../shared/i18n/i18n.ts'
import english from '../shared/i18n/locales/en.json' with { type: 'json' }
import { type Session, SessionContext } from '../shared/session/session.ts'
import { type ApiServer, type Handlers, startApiServer } from './api-server.ts'
import { addMissingParts } from './missing-in-jsdom.ts'

interface PageOptions {
  /** Where the browser is. */
  at?: string
  /** The page's own path, such as `/share/:id`. */
  path?: string
  user?: UserView | null
  settings?: Partial<Settings>
  isSetUp?: boolean
  hasAccounts?: boolean
  demo?: Demo
  /** What the server says. */
  api?: Handlers
}

// The machine may be busy. Nothing is laid out here, so that a look for what is hidden is in vain.
configure({ asyncUtilTimeout: 10_000, defaultHidden: true })

export type Page = BoundFunctions<typeof queries> & {
  api: ApiServer
  user: ReturnType<typeof userEvent.setup>
  field: (label: string) => HTMLElement
  /** Puts a text into a field in place of what it holds. */
  fill: (label: string, text: string) => Promise<void>
  press: (button: string) => Promise<void>
  /** Where the browser is now. */
  location: () => string
  /** The session as the page has changed it. */
  session: () => Session
}

/** Draws a part of the page within all its providers; its calls reach a server on loopback. */
export async function renderPage(children: ReactNode, options: PageOptions = {}): Promise<Page> {
  const { at = '/', path = '*', api: handlers = {} } = options
  addMissingParts(window)
  const api = await startApiServer(handlers)
  const i18n = await createI18n({ locale: 'en', catalogue: english })
  const queryClient = createQueryClient()
  const http = createHttpClient({
    fetch: (input, init) =>
      fetch(new URL(input instanceof Request ? input.url : input, api.origin), init),
    now: Date.now,
    accessTokenExpiresAt: null,
    tabs: { exclusively: (work) => work(), readExpiry: () => null, recordExpiry: () => undefined },
  })
  let location = at
  let session: Session | undefined

  function Watch() {
    const { pathname, search, hash } = useLocation()
    location = pathname + search + hash
    return null
  }

  function Providers() {
    session = useTestSession(options)
    return (
      <MantineProvider env="test">
        <I18nextProvider i18n={i18n}>
          <HttpContext value={http}>
            <QueryClientProvider client={queryClient}>
              <SessionContext value={session}>
                <Notices />
                <MemoryRouter initialEntries={[at]}>
                  <Watch />
                  <UploadDeskProvider>
                    <Routes>
                      <Route path={path} element={children} />
                      <Route path="*" element={null} />
                    </Routes>
                  </UploadDeskProvider>
                </MemoryRouter>
              </SessionContext>
            </QueryClientProvider>
          </HttpContext>
        </I18nextProvider>
      </MantineProvider>
    )
  }

  onTestFinished(async () => {
    notifications.clean()
    cleanup()
    queryClient.clear()
    await api.close()
  })
  render(<Providers />)
  const found = within(document.body)
  const user = userEvent.setup({ document })
  const field = (label: string) => found.getByLabelText(label, { selector: 'input, textarea' })
  return {
    ...found,
    api,
    user,
    field,
    async fill(label, value) {
      await user.click(field(label))
      // At once: a dialog that has just opened moves the focus while keys are pressed.
      fireEvent.change(field(label), { target: { value } })
    },
    press: (name) => user.click(found.getByRole('button', { name })),
    location: () => location,
    session() {
      if (!session) throw new Error('nothing was drawn')
      return session
    },
  }
}

function useTestSession({
  user: first = null,
  settings,
  isSetUp = true,
  hasAccounts = true,
  demo,
}: PageOptions): Session {
  const [user, setUser] = useState(first)
  const [current, setSettings] = useState<Settings>({ ...defaultSettings(), ...settings })
  const [landing, setLanding] = useState<string | null>(null)
  const [logos, setLogos] = useState<LogoVersions>({ light: null, dark: null })
  const [isOver, setOver] = useState(isSetUp)
  return useMemo(
    () => ({
      user,
      settings: current,
      legal: legalLinks(current),
      logos,
      isSetUp: isOver,
      hasAccounts,
      version: '1.0.0',
      demo,
      landing,
      signedIn(newUser, path) {
        setLanding(path)
        setUser(newUser)
      },
      changeUser: setUser,
      changeSettings: setSettings,
      changeLogo: (variant, version) => setLogos((before) => ({ ...before, [variant]: version })),
      finishSetup: () => setOver(true),
    }),
    [user, current, logos, isOver, hasAccounts, demo, landing],
  )
}
