import './styles.ts'
import { defaultSettings, type Settings, userSchema } from '@floe/contracts'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { createHttpClient, type HttpClient } from '../shared/api/http-client.ts'
import { createTokenTabs } from '../shared/api/token-tabs.ts'
import type { BootData } from '../shared/boot.ts'
import type { LoadedCatalogue } from '../shared/i18n/catalogues.ts'
import { addRestOfCatalogue, createI18n } from '../shared/i18n/i18n.ts'
import { fetchSettings } from '../shared/api/fetch-settings.ts'
import { findPage, needsAllTexts } from './addresses.ts'
import { App } from './App.tsx'
import { fetchPageData } from './pages.ts'
import { createQueryClient } from './query-client.ts'

const VERSION = '0.24.1'

/** Until then what the document itself has drawn stays; afterwards a page shows what it waits for. */
const MOST_DATA_WAIT_MS = 2_000

/** Draws the page once it has all it needs. Without boot data (the development server) it asks the API for the same facts. */
export async function startApp({
  boot,
  catalogue,
  page,
}: {
  boot: BootData | null
  catalogue: Promise<LoadedCatalogue>
  page: Promise<void>
}): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('the document has no #root')
  const http = createHttpClient({
    fetch: (...request) => window.fetch(...request),
    now: () => Date.now(),
    accessTokenExpiresAt: boot?.accessTokenExpiresAt ?? null,
    tabs: createTokenTabs({
      locks: 'locks' in navigator ? navigator.locks : undefined,
      storage: window.localStorage,
    }),
  })
  http.onSessionEnd(() => console.info('Refresh token invalid or expired'))
  const path = window.location.pathname
  const queryClient = createQueryClient()
  const data = page.then(() => fetchPageData({ path, http, queryClient }))
  const i18n = await createI18n(await catalogue)
  // What failed is asked for again, and told about, where it is missing.
  await Promise.allSettled([
    page,
    needsAllTexts(findPage(path)) ? addRestOfCatalogue(i18n) : null,
    Promise.race([data, new Promise((resolve) => setTimeout(resolve, MOST_DATA_WAIT_MS))]),
  ])
  const settings: Settings = boot
    ? { ...defaultSettings(), ...boot.settings }
    : await fetchSettings(http)
  // A token that ended while nobody looked is renewed before the gate takes the visitor for a
  // stranger.
  const user =
    boot?.user ?? (boot && boot.accessTokenExpiresAt === null ? null : await findUser(http))
  const app = (
    <App
      http={http}
      i18n={i18n}
      queryClient={queryClient}
      start={{
        user,
        settings,
        logo: boot?.logo ?? null,
        isSetUp: boot?.isSetUp ?? true,
        version: boot?.version ?? VERSION,
      }}
      storage={window.localStorage}
    />
  )
  // In slices, so that a slow device answers in between.
  startTransition(() => createRoot(root).render(app))
}

async function findUser(http: HttpClient) {
  try {
    return await http.request({
      method: 'GET',
      path: '/api/users/me',
      answer: z.union([userSchema, z.null()]),
    })
  } catch {
    return null
  }
}
