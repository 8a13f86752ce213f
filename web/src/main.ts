import { pageModuleFor } from './app/pages.ts'
import { readBoot } from './shared/boot.ts'
import { loadCatalogue } from './shared/i18n/catalogues.ts'

// All three travel together: the app, the page this address shows, and its language.
const boot = readBoot()
void pageModuleFor(window.location.pathname)?.()
const catalogue = loadCatalogue(boot?.language ?? document.documentElement.lang)
void import('./app/start.tsx').then(({ startApp }) => startApp({ boot, catalogue }))
