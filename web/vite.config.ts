import {
  languages,
  PAGE_CLASSES_FILE,
  PAGE_FILES_FILE,
  PAGE_TEXTS_FILE,
  pageClassesSchema,
  pageClassKeys,
  type PageFiles,
  pageTextKeys,
} from '@floe/contracts'
import react from '@vitejs/plugin-react'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig, type Plugin, type Rolldown } from 'vite'
import { addresses, needsAllTexts } from './src/app/addresses.ts'
import { createManifest } from './src/app/manifest.ts'
import { themeStyles } from './src/app/theme-styles.ts'
import { canvas } from './src/app/theme.ts'
import { fillCatalogue, type Texts } from './src/shared/i18n/fill-catalogue.ts'
import { frameSections } from './src/shared/i18n/frame-sections.ts'
import { pickTexts } from './src/shared/i18n/pick-texts.ts'

const PLAIN_STYLES = 'plain.css'
const plainRules = fileURLToPath(new URL('./src/app/plain.css', import.meta.url))
const startModule = '/src/app/start.tsx'

/**
 * The entry is a few lines that start the app and the page of the address at the same time. The
 * app itself is needed by every page, so the document announces it: nothing waits for the entry.
 */
function announceApp(): Plugin {
  return {
    name: 'floe-announce-app',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const paints = html
          .replaceAll('__CANVAS_LIGHT__', canvas.light)
          .replaceAll('__CANVAS_DARK__', canvas.dark)
        if (!bundle) return paints.replaceAll(/__FLOE_(\w+)__/g, (_, name) => devValues[name] ?? '')
        const files = findFiles(bundle, startModule).filter((file) => !paints.includes(file))
        return letPaintFirst(
          paints.replace('</head>', `${files.map(toTag).join('\n')}<!--floe-files--></head>`),
        )
      },
    },
  }
}

function toTag(file: string): string {
  const rel = file.endsWith('.css') ? 'stylesheet' : 'modulepreload'
  return `<link rel="${rel}" crossorigin href="${file}">`
}

/** The document has something to show as soon as its styles are there; scripts come behind them. */
function letPaintFirst(html: string): string {
  return html.replaceAll(
    /<(?:link rel="modulepreload"|script type="module")/g,
    '$& fetchpriority="low"',
  )
}

/** The addresses of a module's chunk and of all that it imports, style sheets first. */
function findFiles(bundle: Rolldown.OutputBundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const root = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
  if (!root) throw new Error(`no chunk for ${module}`)
  const needed = new Set([root])
  for (const { imports } of needed) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk)
  }
  const styles = [...needed].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  const files = [...styles, ...[...needed].map(({ fileName }) => fileName)]
  return [...new Set(files)].map((file) => `/${file}`)
}

/** Tells the gateway what each page needs besides the app, so that documents announce it at once. */
function listPageFiles(): Plugin {
  return {
    name: 'floe-list-page-files',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const announced = new Set(
          ['/index.html', startModule].flatMap((module) => findFiles(bundle, module)),
        )
        const filesOf = (module: string) =>
          findFiles(bundle, module).filter((file) => !announced.has(file))
        const locale = (language: string, query = '') =>
          filesOf(`/locales/${language}.json${query}`)
        const source: PageFiles = {
          pages: addresses.map(([pattern, module]) => ({
            pattern: pattern.source,
            files: filesOf(`/features/${module}.tsx`),
            needsAllTexts: needsAllTexts(module),
          })),
          password: filesOf('/share-view/components/PasswordDialog.tsx'),
          texts: Object.fromEntries(
            languages.map((language) => [
              language,
              { frame: locale(language), rest: locale(language, '?rest') },
            ]),
          ),
        }
        this.emitFile({
          type: 'asset',
          fileName: PAGE_FILES_FILE,
          source: JSON.stringify(source),
        })
      },
    },
  }
}

const jsonSchemaModules = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/

/**
 * Every zod schema carries the code that writes it as JSON Schema, which only the server's API
 * description uses. The page leaves it out.
 */
function omitJsonSchema(): Plugin {
  return {
    name: 'floe-omit-json-schema',
    apply: 'build',
    transform(code, id) {
      if (!jsonSchemaModules.test(id)) return null
      const names = [...code.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(
        ([, name]) => name,
      )
      const exports = names.map((name) => `export const ${name} = omitted`).join('\n')
      return { code: `const omitted = () => undefined\n${exports}\n`, map: null }
    },
  }
}

/**
 * A schema is made by calls, which could do anything: the bundler keeps it, and the page makes it at
 * every start. Here calls only make values, so what nothing uses may go.
 */
function dropUnusedSchemas(): Plugin {
  return {
    name: 'floe-drop-unused-schemas',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!id.includes('/packages/contracts/src/')) return null
      const values = this.parse(code)
        .body.map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node))
        .flatMap((node) => (node?.type === 'VariableDeclaration' ? node.declarations : []))
        .flatMap(({ init }) => (init?.type === 'CallExpression' ? [init] : []))
      const marked = values.reduceRight(
        (text, { start, end }) =>
          `${text.slice(0, start)}/* @__PURE__ */ (() => ${text.slice(start, end)})()${text.slice(end)}`,
        code,
      )
      return { code: marked, map: null }
    },
  }
}

const zodConfiguration = /\/zod\/v4\/core\/core\.js$/

/**
 * A schema tries whether it may compile itself. The page's policy forbids that, and browsers report
 * each try, so it is told before the first schema is made.
 */
function forbidCompiledSchemas(): Plugin {
  return {
    name: 'floe-forbid-compiled-schemas',
    apply: 'build',
    transform(code, id) {
      if (!zodConfiguration.test(id)) return null
      const told = code.replace(
        '.__zod_globalConfig = {})',
        '.__zod_globalConfig = { jitless: true })',
      )
      if (told === code) throw new Error(`${id} keeps its configuration elsewhere`)
      return { code: told, map: null }
    },
  }
}

/**
 * Mantine gives each field a second, random identifier as soon as it is drawn, for pages that a
 * server has drawn first, and so draws each field twice. React's own are enough here.
 */
function drawFieldsOnce(): Plugin {
  return {
    name: 'floe-draw-fields-once',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/@mantine/hooks/esm/use-id/use-id.mjs')) return null
      return `import { useId as useReactId } from 'react'
export function useId(staticId) {
  const id = useReactId()
  return typeof staticId === 'string' ? staticId : id
}`
    },
  }
}

const catalogueModules = /\/i18n\/locales\/(?<locale>[\w-]+)\.json(?<isRest>\?rest)?$/
const englishFile = fileURLToPath(new URL('./src/shared/i18n/locales/en.json', import.meta.url))

/**
 * A language is one file to its translators and two to the page: `en.json` keeps what visitors of
 * a share read, `en.json?rest` is everything else. English stands in for texts a language lacks.
 */
function cutCatalogues(): Plugin {
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
function writeManifests(): Plugin {
  return {
    name: 'floe-write-manifests',
    apply: 'build',
    generateBundle() {
      const folder = new URL('./src/shared/i18n/locales/', import.meta.url)
      for (const file of readdirSync(folder)) {
        const locale = file.replace(/\.json$/, '')
        const { nav } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
          nav: { upload: string; myShares: string }
        }
        const source = JSON.stringify(createManifest({ locale, ...nav }))
        this.emitFile({ type: 'asset', fileName: `manifests/${locale}.webmanifest`, source })
      }
    },
  }
}

/** `Module.class` → what the build calls it. */
const moduleClasses = new Map<string, string>()

function collectClasses(file: string, classes: Record<string, string>): void {
  const module = basename(file, '.module.css')
  for (const [name, called] of Object.entries(classes))
    moduleClasses.set(`${module}.${name}`, called)
}

/** The page has the theme's variables before any script runs. */
function fillTheme(): Plugin {
  return {
    name: 'floe-fill-theme',
    enforce: 'pre',
    load: (id) => (id.endsWith('/src/app/theme.css') ? themeStyles() : null),
  }
}

/**
 * What the gateway leans on until the scripts run and where none does: the texts it says, the
 * classes it draws with, and a style sheet which browsers with scripts never load.
 */
function equipGateway(): Plugin {
  return {
    name: 'floe-equip-gateway',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'noscript',
        injectTo: 'head',
        children: [{ tag: 'link', attrs: { rel: 'stylesheet', href: `/${PLAIN_STYLES}` } }],
      },
    ],
    generateBundle() {
      const read = (locale: string) =>
        JSON.parse(
          readFileSync(
            new URL(`./src/shared/i18n/locales/${locale}.json`, import.meta.url),
            'utf8',
          ),
        ) as Texts
      const english = read('en')
      const texts = languages.map((locale) => {
        const catalogue = fillCatalogue(read(locale), english, locale)
        return [locale, pickTexts(catalogue, pageTextKeys)] as const
      })
      const source = JSON.stringify(Object.fromEntries(texts))
      this.emitFile({ type: 'asset', fileName: PAGE_TEXTS_FILE, source })
      const styles = readFileSync(plainRules, 'utf8')
      this.emitFile({ type: 'asset', fileName: PLAIN_STYLES, source: styles })
      const classes = pageClassKeys.map((key) => [key, moduleClasses.get(key)])
      this.emitFile({
        type: 'asset',
        fileName: PAGE_CLASSES_FILE,
        source: JSON.stringify(pageClassesSchema.parse(Object.fromEntries(classes))),
      })
    },
  }
}

const devValues: Record<string, string> = {
  LANG: 'en',
  DIR: 'ltr',
  COLOR_SCHEME: 'auto',
  LOGO: 'dev',
  TITLE: 'Floe',
}

const reactModules = /\/node_modules\/(?:react|react-dom|scheduler)\//
const baseModules =
  /\/node_modules\/(?:react-router|@tanstack\/(?:query-core|react-query)|i18next|react-i18next|use-sync-external-store|clsx)\/|\/web\/src\/app\/query-client\.ts$/

const frameComponents =
  'ActionIcon|Burger|Button|Group|Loader|Skeleton|Stack|Transition|UnstyledButton'

/** What schemas are made of, and the smallest ones made of it. */
const schemaModules = /\/node_modules\/zod\/|\/web\/src\/shared\/api\/access-token\.ts$/

/** What the page of a share takes of the contracts, and how it tells a refusal. */
const contractModules =
  /\/packages\/contracts\/src\/(?:config-catalogue|duration|errors|format-size|http|identity|names|paging|previews|shares|visible-name)\.ts$|\/web\/src\/shared\/api\/api-error\.ts$/

/** Small ones that the page of a share needs, and nearly every other page too. */
const frameModules = new RegExp(
  [
    String.raw`/web/src/shared/(?!boot)[\w-]+\.ts$`,
    '/web/src/shared/(?:format|session)/',
    '/web/src/shared/api/(?:http-context|fetch-settings|fetch-share|share-meta-data)',
    '/web/src/shared/upload/upload-desk',
    `/@mantine/core/esm/components/(?:${frameComponents})/`,
    '/@mantine/core/esm/core/.*/get-contrast-color',
    '/@mantine/hooks/esm/use-isomorphic-effect/',
    String.raw`/web/src/shared/components/(?:Page|PageTitle|PageLink|Panel|DeadEnd|FloeArt|SiteLogo)\.`,
    '/icons-react/.*/createReactComponent',
    String.raw`/icons-react/.*/Icon(?:BrandGithub|Lock|Link|Download|Pencil|InfoCircle|Chevron\w+|File|Folder|Eye)\.`,
  ].join('|'),
)

/** The place for files lies under this little of what dialogs consist of. */
const overlayModules =
  /\/tslib\/|\/@mantine\/core\/esm\/(?:components\/(?:Overlay|Portal)\/|core\/(?:utils\/(?:get-default-z-index|create-safe-context|is-element)|styles-api\/use-resolved-styles-api)\/)/

/** What is filled in, and what opens over a page: nearly always all of it together. */
const formModules =
  /\/@mantine\/(?:form|core\/esm\/components\/(?:Alert|CloseButton|Input|InputBase|PasswordInput|TextInput))\/|\/web\/src\/shared\/api\/error-message|\/@mantine\/core\/styles\/(?:Alert|PasswordInput)\.layer\.css/
const dialogModules =
  /\/(?:@floating-ui|react-remove-scroll|@mantine\/core\/esm\/components\/(?:FocusTrap|Modal|ModalBase|ScrollArea))\/|\/web\/src\/shared\/components\/Dialog\./

/** A page is drawn once its style sheets are there: the smaller ones of choosing files travel as one. */
const uploadStyles =
  /\/(?:ChosenFiles|FileDrop|LinkLimits|NewUpload|RowButton|StorageLeft|UnfinishedUploads|VirtualRows)\.module\.css|\/@mantine\/(?:dropzone\/styles|core\/styles\/(?:LoadingOverlay|Progress))\.layer\.css/

/** What the pages around signing in have in common. */
const authModules = /\/web\/src\/(?:features\/auth\/(?!pages\/)|shared\/social\/)/

/** Its variant for browsers asks the document, which the thread that reads Markdown has not. */
const characterNames = fileURLToPath(import.meta.resolve('decode-named-character-reference'))

export default defineConfig({
  plugins: [
    react(),
    announceApp(),
    listPageFiles(),
    cutCatalogues(),
    fillTheme(),
    dropUnusedSchemas(),
    omitJsonSchema(),
    forbidCompiledSchemas(),
    drawFieldsOnce(),
    writeManifests(),
    equipGateway(),
  ],
  resolve: {
    conditions: ['source', ...defaultClientConditions],
    alias: [{ find: /^decode-named-character-reference$/, replacement: characterNames }],
  },
  css: { modules: { getJSON: collectClasses } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // The contracts describe the whole server; the page takes the shapes it uses.
      treeshake: { moduleSideEffects: (id) => !id.includes('/packages/contracts/src/') },
      output: {
        // What every page needs travels in few pieces: they compress better than many small ones.
        codeSplitting: {
          groups: [
            // The entry needs it at once, and nothing else.
            { name: 'preload', test: /vite\/preload-helper/, priority: 1 },
            { name: 'react', test: reactModules },
            { name: 'schemas', test: schemaModules },
            { name: 'contracts', test: contractModules },
            { name: 'base', test: baseModules },

            { name: 'frame', test: frameModules },
            { name: 'overlay', test: overlayModules },
            { name: 'form', test: formModules },
            { name: 'dialog', test: dialogModules },
            { name: 'auth', test: authModules },
            { name: 'upload-styles', test: uploadStyles },
          ],
        },
      },
    },
  },
  worker: {
    rolldownOptions: {
      output: {
        // A service worker keeps its address for ever: browsers look there for its next version.
        entryFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.endsWith('/share-target/worker.ts')
            ? 'share-target.js'
            : 'assets/[name]-[hash].js',
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': process.env['API_URL'] ?? 'http://127.0.0.1:3000' },
  },
})
