import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { queryDatabase, queryNewDataDirectory } from './test-database.ts'

const folder = fileURLToPath(new URL('../schemas', import.meta.url))

/** What the installation of a fixture has in it, as its users see it. */
export interface ReleasedContent {
  accounts: { email: string; username: string; password: string; totpSecret?: string }[]
  shares: {
    id: string
    password?: string
    /** Of the request that opens it. */
    status: number
    files: { id: string; name: string; size: number; sha256: string }[]
  }[]
  /** Tokens. */
  reverseShares: string[]
  /** Of the first account; by the bytes that arrived. */
  uploads: { name: string; offset: number }[]
}

/** An installation as a version left it; `oldest` is what the first migrations of all services make. */
export interface ReleasedSchema {
  name: string
  content: ReleasedContent
  /** Into an empty database. */
  load(url: string): Promise<void>
  /** Into a data directory without one, with objects and key. */
  install(dataDirectory: string): Promise<void>
}

export function listReleasedSchemas(): ReleasedSchema[] {
  return readdirSync(folder).map((name) => {
    const at = (file: string) => join(folder, name, file)
    const readSql = async () => bringHere(await readFile(at('database.sql'), 'utf8'))
    return {
      name,
      content: JSON.parse(readFileSync(at('content.json'), 'utf8')) as ReleasedContent,
      load: async (url) => {
        await queryDatabase(url, await readSql())
      },
      install: async (dataDirectory) => {
        await queryNewDataDirectory(dataDirectory, await readSql())
        await cp(at('objects'), join(dataDirectory, 'objects'), { recursive: true })
        if (existsSync(at('secret.key'))) {
          await cp(at('secret.key'), join(dataDirectory, 'secret.key'))
        }
      },
    }
  })
}

/**
 * As if the version had run on this machine: what it received and never flushed is trusted only in
 * the run of the machine that wrote it.
 */
async function bringHere(sql: string): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null)
  return boot === null ? sql : sql.replaceAll(/"boot_id":"[^"]+"/g, `"boot_id":"${boot.trim()}"`)
}

/** Where the fixture of this version belongs. */
export async function prepareReleasedSchema(version: string): Promise<string> {
  const target = join(folder, version)
  await mkdir(target)
  return target
}
