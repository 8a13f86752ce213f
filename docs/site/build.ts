import { build as bundle } from 'esbuild'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createAddresses, picturePath, sourcePath } from './addresses.ts'
import { readDecisions } from './decisions.ts'
import { layOut } from './layout.ts'
import { renderMarkdown, type Rendered, type Section } from './markdown.ts'
import { listChapters, type Page } from './pages.ts'
import { readRepositoryFile, root } from './repository.ts'
import { variantsOf } from './screenshots.ts'

/** What search knows of a part of a page. */
export interface SearchEntry {
  page: string
  heading: string
  /** From the root of the site. */
  url: string
  text: string
}

/** Writes the site into the folder, in place of what is there. Throws where a link leads nowhere. */
export async function buildSite(output: string): Promise<{ pages: string[] }> {
  const chapters = listChapters()
  const menu = chapters.flatMap(({ pages }) => pages)
  const pages = [...menu, ...readDecisions()]
  const addresses = createAddresses(pages)
  const rendered: { page: Page; content: Rendered }[] = []
  for (const page of pages) {
    const content = await renderMarkdown(page.markdown, (url) => addresses.rewrite(page, url))
    rendered.push({ page, content })
  }
  if (addresses.dead.length > 0) throw new Error(addresses.dead.join('\n'))
  const titles = new Map(rendered.map(({ page, content }) => [page, page.label ?? content.title]))
  const nav = { chapters, menu, titleOf: (page: Page) => titles.get(page) ?? page.path }

  rmSync(output, { recursive: true, force: true })
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(output, path)), { recursive: true })
    writeFileSync(join(output, path), content)
  }
  for (const { page, content } of rendered)
    write(`${page.path}.html`, layOut({ page, content, nav }))
  for (const source of addresses.sources) {
    const page = showSource(source)
    const content = await renderMarkdown(page.markdown, (url) => url)
    write(`${page.path}.html`, layOut({ page, content, nav }))
  }
  write(
    'search-index.js',
    `globalThis.searchEntries=${JSON.stringify(rendered.flatMap(toEntries))}`,
  )
  write('style.css', readRepositoryFile('docs/site/style.css'))
  for (const source of [...addresses.pictures].flatMap(variantsOf)) {
    copy(source, join(output, picturePath(source)))
  }
  copy('web/public/img/logo.svg', join(output, 'logo.svg'))
  await bundleScript(output)
  return {
    pages: [...pages.map(({ path }) => path), ...[...addresses.sources].map(sourcePath)].map(
      (path) => `${path}.html`,
    ),
  }
}

/** A file of the repository as a page, highlighted by its ending. */
function showSource(source: string): Page {
  const text = readRepositoryFile(source).replace(/\n$/, '')
  const fence = '````'
  return {
    path: sourcePath(source),
    source,
    markdown: `# ${source}\n\n${fence}${languageOf(source)}\n${text}\n${fence}`,
  }
}

function languageOf(source: string): string {
  const ending = source.slice(source.lastIndexOf('.') + 1)
  const languages: Record<string, string> = { conf: 'nginx', tsx: 'typescript', mjs: 'javascript' }
  return languages[ending] ?? (/^(?:ts|yml|yaml|json|sh|css)$/.test(ending) ? ending : 'caddyfile')
}

function toEntries({ page, content }: { page: Page; content: Rendered }): SearchEntry[] {
  return content.sections.map(({ id, level, text, body }: Section) => ({
    page: content.title,
    heading: text,
    url: level === 1 ? `${page.path}.html` : `${page.path}.html#${id}`,
    text: body.replace(/\s+/g, ' '),
  }))
}

function copy(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(join(root, source), target)
}

/** One classic script: browsers load modules from servers only, not from a folder. */
async function bundleScript(output: string): Promise<void> {
  await bundle({
    absWorkingDir: root,
    entryPoints: ['docs/site/browser/main.ts'],
    outfile: join(output, 'site.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  })
}
