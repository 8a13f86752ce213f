import { preparePage } from './app/pages.ts'
import { readBoot } from './shared/boot.ts'
import { loadFrameCatalogue } from './shared/i18n/catalogues.ts'

// All travel together: the app, the page this address shows, and its language.
const boot = readBoot()
const locale = boot?.language ?? document.documentElement.lang
const page = preparePage(window.location.pathname, locale)
const catalogue = loadFrameCatalogue(locale)
void import('./app/start.tsx').then(({ startApp }) => startApp({ boot, catalogue, page }))
