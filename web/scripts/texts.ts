import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { createManifest } from '../src/app/manifest.ts'
import { fillCatalogue, type Texts } from '../src/shared/i18n/fill-catalogue.ts'
import { frameSections } from '../src/shared/i18n/frame-sections.ts'

const catalogueModules = /\/i18n\/locales\/(?<locale>[\w-]+)\.json(?<isRest>\?rest)?$/
const localesFolder = new URL('../src/shared/i18n/locales/', import.meta.url)
const englishFile = fileURLToPath(new URL('en.json', localesFolder))

/**
 * A language is one file to its translators and two to the page: `en.json` keeps what visitors of
 * a share read, `en.json?rest` is everything else. English stands in for texts a language lacks.
 */
export function cutCatalogues(): Plugin {
  return {
    name: 'floe-cut-catalogues',
    enforce: 'pre',
    transform(code, id) {
      const match = catalogueModules.exec(id)
      if (!match) return null
      const locale = match.groups?.['locale'] ?? ''
      const isRest = match.groups?.['isRest'] !== undefined
      this.addWatchFile(englishFile)
      const english = JSON.parse(readFileSync(englishFile, 'utf8')) as Texts
      const catalogue = fillCatalogue(JSON.parse(code) as Texts, english, locale)
      const sections = Object.entries(catalogue).filter(
        ([name]) => frameSections.includes(name) !== isRest,
      )
      const json = JSON.stringify(Object.fromEntries(sections))
      // Only an address that ends in `.json` is read as JSON.
      return { code: isRest ? `export default ${json}` : json, moduleType: isRest ? 'js' : 'json' }
    },
  }
}

/** One web manifest for each language, as the system shows what is in it. */
export function writeManifests(): Plugin {
  return {
    name: 'floe-write-manifests',
    apply: 'build',
    generateBundle() {
      for (const file of readdirSync(localesFolder)) {
        const locale = file.replace(/\.json$/, '')
        const { nav } = JSON.parse(readFileSync(new URL(file, localesFolder), 'utf8')) as {
          nav: { upload: string; myShares: string }
        }
        const source = JSON.stringify(createManifest({ locale, ...nav }))
        this.emitFile({ type: 'asset', fileName: `manifests/${locale}.webmanifest`, source })
      }
    },
  }
}
