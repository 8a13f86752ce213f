import { preparePage } from './app/pages.ts'
import { readBoot } from './shared/boot.ts'
import { loadFrameCatalogue } from './shared/i18n/catalogues.ts'

// All travel together: the app, the page this address shows, and its language.
const boot = readBoot()
const locale = boot?.language ?? document.documentElement.lang
const page = preparePage(window.location.pathname, locale)
const catalogue = loadFrameCatalogue(locale)
void runApp()

/**
 * Runs the files that the build cuts, one by one and each by a module of it: between them the
 * browser answers and paints.
 */
async function runApp() {
  await import('react-dom/client')
  await import('./shared/api/api-error.ts')
  await import('./shared/session/session.ts')
  const { startApp } = await import('./app/start.tsx')
  await startApp({ boot, catalogue, page })
}
