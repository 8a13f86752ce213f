import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { SourceError } from '../source.ts'

/** Settings by category and name; one without a value has its default. */
export type FileSettings = ReadonlyMap<string, ReadonlyMap<string, string | null>>

/** Makes an account, and is no setting. */
const FIRST_USER = 'initUser'

interface ReadConfigFileOptions {
  /** Null for an installation without one. */
  path: string | null
  losses: string[]
}

/**
 * `config.yaml` of 1.10 and later: a category that is in it hides what the database has of that
 * category, names that are missing included. Fails with `SourceError` where it is not YAML.
 */
export async function readConfigFile({
  path,
  losses,
}: ReadConfigFileOptions): Promise<FileSettings> {
  const categories = new Map<string, ReadonlyMap<string, string | null>>()
  if (path === null) return categories
  for (const [category, names] of entriesOf(await readYaml(path))) {
    if (category === FIRST_USER) {
      losses.push(`${path}: ${FIRST_USER} is left out: accounts come from the database`)
      continue
    }
    const settings = entriesOf(names).map(([name, value]) => {
      if (value === true) {
        losses.push(
          `${path}: ${category}.${name} is true without quotes, which counted as false, and does here`,
        )
      }
      return [name, toText(value)] as const
    })
    categories.set(category, new Map(settings))
  }
  return categories
}

async function readYaml(path: string): Promise<unknown> {
  try {
    return parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new SourceError(`${path} cannot be read: ${firstLine((error as Error).message)}`)
  }
}

/** The lines below show the place, and may show a secret. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '')
}

function entriesOf(value: unknown): [string, unknown][] {
  const isTree = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isTree ? Object.entries(value) : []
}

/** What the old server made of it: it compared texts, so that only a text is true. */
function toText(value: unknown): string | null {
  if (typeof value === 'boolean') return 'false'
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : null
}
