import { environmentNames } from '@floe/config'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { listCommitted, read, root } from './repository.ts'

const documents = listCommitted(/\.md$/)
// Decisions are records: their words stay those of their day.
const guides = documents.filter((path) => !path.startsWith('docs/adr/'))

function withoutCode(path: string): string {
  return read(path).replace(/^```[^]*?^```$/gm, '')
}

test.each(guides)('%s is in plain English', (path) => {
  const text = withoutCode(path)
  expect(text.match(/\bwhoever\b/gi)).toBeNull()
  expect(text.match(/(?:^|[.:] )Of (?:all|what|whom|which)\b/gm)).toBeNull()
})

test('the glossary defines each word once, in the order of the alphabet', () => {
  const words = [...read('docs/glossary.md').matchAll(/^\*\*(.+?)\*\*/gm)].map(
    ([, word = '']) => word,
  )
  expect(words.length).toBeGreaterThan(5)
  expect(words).toEqual([...new Set(words)].sort((a, b) => a.localeCompare(b, 'en')))
})

test('every word of the glossary is one that the code uses', () => {
  const code = listCommitted(/^(?:packages|services|bin)\/.*\.ts$/)
    .map(read)
    .join('\n')
  const words = read('docs/glossary.md').matchAll(/^\*\*(.+?)\*\*/gm)
  const unused = [...words].filter(([, word = '']) => !isUsedIn(code, word)).map(([, word]) => word)
  expect(unused).toEqual([])
})

/** "Reverse share" is written reverseShare, reverse_share or reverse-share as well. */
function isUsedIn(code: string, word: string): boolean {
  return new RegExp(word.replace(/ /g, '[ _-]?'), 'i').test(code)
}

test.each(documents)('%s links to nothing that is missing', (path) => {
  const links = [...withoutCode(path).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
  const missing = links
    .map(([, link = '']) => link)
    .filter((link) => !existsSync(join(root, dirname(path), link)))
  expect(missing).toEqual([])
})

test('the README leads to every guide', () => {
  const ofUsers = guides.filter((path) => /^docs\/(?!screenshots\/)\w+\//.test(path))
  const readme = read('README.md')
  expect(ofUsers.filter((path) => !readme.includes(`](${path})`))).toEqual([])
})

test('the guide has a row for every variable of the environment', () => {
  const rows = read('docs/administer/environment.md').match(/^\| `.*$/gm) ?? []
  const told = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  const isSecretFile = (name: string) =>
    name.endsWith('_FILE') && environmentNames.includes(name.replace(/_FILE$/, ''))
  // The commands set it, nobody else.
  const isOurs = (name: string) => name === 'NODE_ENV'
  const known = environmentNames.filter(
    (name) => told.includes(name) || !(isOurs(name) || isSecretFile(name)),
  )
  expect(told.sort()).toEqual(known.sort())
})
