import { languages, PAGE_FILES_FILE, type PageFiles, type PageName } from '@floe/contracts'
import type { Plugin, Rolldown } from 'vite'
import { notFoundModule, pageModules } from '../src/app/page-modules.ts'
import { canvas } from '../src/app/theme.ts'

const startModule = '/src/app/start.tsx'

/** What the gateway fills in, for a document that Vite's development server sends itself. */
const developmentValues: Record<string, string> = {
  LANG: 'en',
  DIR: 'ltr',
  COLOR_SCHEME: 'auto',
  LOGO: 'dev',
  TITLE: 'Floe',
}

/**
 * The entry is a few lines that start the app and the page of the address at the same time. The
 * app itself is needed by every page, so the document announces it: nothing waits for the entry.
 */
export function announceApp(): Plugin {
  return {
    name: 'floe-announce-app',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const paints = html
          .replaceAll('__CANVAS_LIGHT__', canvas.light)
          .replaceAll('__CANVAS_DARK__', canvas.dark)
        if (!bundle) {
          return paints.replaceAll(/__FLOE_(\w+)__/g, (_, name) => developmentValues[name] ?? '')
        }
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
export function listPageFiles(): Plugin {
  return {
    name: 'floe-list-page-files',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        this.emitFile({
          type: 'asset',
          fileName: PAGE_FILES_FILE,
          source: JSON.stringify(describePages(bundle)),
        })
      },
    },
  }
}

function describePages(bundle: Rolldown.OutputBundle): PageFiles {
  const announced = new Set(
    ['/index.html', startModule].flatMap((module) => findFiles(bundle, module)),
  )
  const filesOf = (module: string) =>
    findFiles(bundle, module).filter((file) => !announced.has(file))
  const filesOfPage = (module: string) => filesOf(`/features/${module}.tsx`)
  const textsOf = (language: string, query = '') => filesOf(`/locales/${language}.json${query}`)
  const names = Object.keys(pageModules) as PageName[]
  return {
    pages: Object.fromEntries(names.map((name) => [name, filesOfPage(pageModules[name])])),
    notFound: filesOfPage(notFoundModule),
    password: filesOf('/share-view/components/PasswordDialog.tsx'),
    texts: Object.fromEntries(
      languages.map((language) => [
        language,
        { frame: textsOf(language), rest: textsOf(language, '?rest') },
      ]),
    ),
  }
}
