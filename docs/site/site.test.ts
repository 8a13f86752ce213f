import { configCatalogue } from '@floe/contracts'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSite } from './build.ts'
import { findDeadLinks } from './links.ts'
import { listChapters } from './pages.ts'
import { readRepositoryFile, root } from './repository.ts'

let folder: string
let files: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floe-docs-'))
  await buildSite(folder)
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true }))

const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const listPages = () => files.filter((path) => path.endsWith('.html'))
const decode = (html: string) =>
  html.replaceAll(/&#x([0-9A-F]+);/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
/** Without markup. */
const readText = (path: string) => decode(read(path).replaceAll(/<[^>]+>/g, ''))

test('no page links to anything that is not there', () => {
  expect(listPages().length).toBeGreaterThan(80)
  expect(findDeadLinks(folder)).toEqual([])
})

test('a page, a heading, a picture or a script that is missing is a dead link', () => {
  const broken = join(folder, 'broken')
  mkdirSync(broken)
  writeFileSync(join(broken, 'there.html'), '<h2 id="part">Part</h2>')
  writeFileSync(
    join(broken, 'page.html'),
    `<a href="there.html">1</a> <a href="there.html#part">2</a> <a href="https://example.org">3</a>
    <a href="gone.html">4</a> <a href="there.html#gone">5</a> <img src="gone.png"> <script src="gone.js"></script>
    <a href="#gone">6</a>`,
  )
  const dead = findDeadLinks(broken)
  rmSync(broken, { recursive: true })
  expect(dead).toEqual([
    'page.html: gone.html',
    'page.html: there.html#gone',
    'page.html: gone.png',
    'page.html: gone.js',
    'page.html: #gone',
  ])
})

test('nothing is asked of another host, nor by an address from the root of a host', () => {
  const loaded = listPages().flatMap((path) =>
    [...read(path).matchAll(/<(?:link|script|img|source)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(
      ([, url = '']) => url,
    ),
  )
  expect(loaded.length).toBeGreaterThan(200)
  expect(loaded.filter((url) => /^(?:[a-z]+:|\/)/.test(url))).toEqual([])
  const links = listPages().flatMap((path) => [...read(path).matchAll(/\shref="\/[^"]*"/g)])
  expect(links).toEqual([])
  const styles = [read('style.css'), ...listPages().map(read)].join('\n')
  expect(styles.match(/@import|url\(['"]?(?!#)[^)]*\)/g)).toBeNull()
})

test('every guide in docs is in the menu', () => {
  const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => path.endsWith('.md') && !/^(?:adr|dist|node_modules|screenshots)\//.test(path),
    )
    .map((path) => `docs/${path}`)
  const sources = listChapters().flatMap(({ pages }) => pages.map(({ source }) => source))
  expect(guides.filter((path) => !sources.includes(path))).toEqual([])
})

test('the reference has every operation of the API description, with its responses and codes', () => {
  interface Operation {
    tags: [string]
    summary: string
    responses: Record<string, { description: string }>
  }
  const { paths } = JSON.parse(readRepositoryFile('docs/openapi.json')) as {
    paths: Record<string, Record<string, Operation>>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
  expect(operations.length).toBeGreaterThan(50)
  const missing = operations.flatMap(({ path, method, tags: [tag], summary, responses }) => {
    const page = readText(`api/${tag.toLowerCase().replaceAll(' ', '-')}.html`)
    const start = page.indexOf(`\n${method.toUpperCase()} ${path}\n`)
    const next = page.slice(start + 1).search(/\n(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \//)
    const part = page.slice(start, next === -1 ? undefined : start + 1 + next)
    const codes = Object.values(responses).flatMap(({ description }) =>
      [...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
    )
    const told = [...Object.keys(responses), ...codes].filter((word) => !part.includes(word))
    return start === -1 || !page.includes(summary.replaceAll('`', ''))
      ? [`${method} ${path}`]
      : told
  })
  expect(missing).toEqual([])
})

test('every setting has its label and its meaning', () => {
  const rows = read('administer/settings.html').match(/<tr>[^]*?<\/tr>/g) ?? []
  const isTold = (key: string) =>
    rows.some(
      (row) => row.includes(`<code>${key}</code></td>`) && /<strong>.+<\/strong> [^<\s]/.test(row),
    )
  const untold = Object.keys(configCatalogue).filter((key) => !isTold(key))
  expect(untold).toEqual([])
})
