import { recoverStylesheets } from './app/lost-styles.ts'
import { preparePage } from './app/pages.ts'
import { readBoot } from './shared/boot.ts'
import { loadFrameCatalogue } from './shared/i18n/catalogues.ts'

recoverStylesheets()
void runApp()

/**
 * Runs the files that the build cuts, one by one and each by a module of it: between them the
 * browser responds and paints. They travel together, as the document announces them all; the page
 * this address shows comes after those it is made of, or it would run them all at once.
 */
async function runApp() {
  const boot = readBoot()
  const locale = boot?.language ?? document.documentElement.lang
  const catalogue = loadFrameCatalogue(locale)
  await import('react-dom/client')
  await import('./shared/api/access-token.ts')
  await import('./shared/api/api-error.ts')
  await import('./app/query-client.ts')
  await import('./shared/session/session.ts')
  const page = preparePage(window.location.pathname, locale)
  const { startApp } = await import('./app/start.tsx')
  await startApp({ boot, catalogue, page })
}
