import './styles.ts'
import { type Boot, findPage, legalLinks, userSchema, VERSION } from '@floe/contracts'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { createHttpClient, type HttpClient } from '../shared/api/http-client.ts'
import { createTokenTabs } from '../shared/api/token-tabs.ts'

import type { LoadedCatalogue } from '../shared/i18n/catalogues.ts'
import { addRestOfCatalogue, createI18n } from '../shared/i18n/i18n.ts'
import { App } from './App.tsx'
import { fetchPageData, needsAllTexts } from './pages.ts'
import { createQueryClient } from './query-client.ts'

/** Until then what the document itself has drawn stays; afterwards a page shows what it waits for. */
const MOST_DATA_WAIT_MS = 2_000

interface Start {
  boot: Boot | null
  catalogue: Promise<LoadedCatalogue>
  page: Promise<void>
}

/** Draws the page once it has all it needs. */
export async function startApp({ boot, catalogue, page }: Start): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('the document has no #root')
  const http = createHttp(boot)
  const path = window.location.pathname
  const queryClient = createQueryClient()
  const data = page.then(() => fetchPageData({ path, http, queryClient }))
  const i18n = await createI18n(await catalogue)
  // A failed request is repeated, and told about, where its data is missing.
  await Promise.allSettled([
    page,
    needsAllTexts(findPage(path)) ? addRestOfCatalogue(i18n) : null,
    Promise.race([data, new Promise((resolve) => setTimeout(resolve, MOST_DATA_WAIT_MS))]),
  ])
  const start = await toStart(boot, http)
  const app = <App http={http} i18n={i18n} queryClient={queryClient} start={start} />
  // In slices, so that a slow device responds in between.
  startTransition(() => createRoot(root).render(app))
}

function createHttp(boot: Boot | null): HttpClient {
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
  return http
}

/** Without boot data (the development server) the API is asked for the same data. */
async function toStart(boot: Boot | null, http: HttpClient) {
  if (!boot) {
    const { fetchSettings } = await import('../shared/api/fetch-settings.ts')
    const [settings, user] = [await fetchSettings(http), await findUser(http)]
    const legal = legalLinks(settings)
    const logos = { light: null, dark: null }
    return { user, settings, legal, logos, isSetUp: true, hasAccounts: true, version: VERSION }
  }
  const { settings, legal, isSetUp, hasAccounts, version, demo } = boot
  const logos = { light: boot.logo, dark: boot.darkLogo }
  // A token that ended meanwhile is renewed before the guard takes its user for a visitor.
  const user = boot.user ?? (boot.accessTokenExpiresAt === null ? null : await findUser(http))
  return { user, settings, legal, logos, isSetUp, hasAccounts, version, demo }
}

async function findUser(http: HttpClient) {
  try {
    return await http.request({
      method: 'GET',
      path: '/api/users/me',
      response: z.union([userSchema, z.null()]),
    })
  } catch {
    return null
  }
}
