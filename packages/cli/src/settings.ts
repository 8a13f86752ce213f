import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from './make-folder.ts'

const serverSchema = z.object({ token: z.string(), username: z.string().optional() })

const configSchema = z.object({
  /** Where commands go that name no server. */
  current: z.string().optional(),
  /** By the address of the site. */
  servers: z.record(z.string(), serverSchema).default({}),
  /** What something on the way to a server allows in one request, and when that was found. */
  requestLimits: z.record(z.string(), z.unknown()).default({}),
})
export type Config = z.output<typeof configSchema>

/** What of this user is kept between two runs, by the rules of XDG. */
export interface Store {
  readConfig(): Promise<Config>
  changeConfig(change: (config: Config) => void): Promise<void>
  /** A note about something that is not finished, by its kind and a key of any form. */
  readState<T>(kind: string, key: string, schema: z.ZodType<T>): Promise<T | null>
  listState<T>(kind: string, schema: z.ZodType<T>): Promise<T[]>
  writeState(kind: string, key: string, value: object): Promise<void>
  removeState(kind: string, key: string): Promise<void>
}

export function createStore(env: NodeJS.ProcessEnv): Store {
  const configFile = join(folderOf(env['XDG_CONFIG_HOME'], '.config'), 'config.json')
  const stateFolder = folderOf(env['XDG_STATE_HOME'], '.local/state')
  const stateFile = (kind: string, key: string) =>
    join(stateFolder, kind, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`)
  const readConfig = async () => (await readJson(configFile, configSchema)) ?? emptyConfig()
  return {
    readConfig,
    async changeConfig(change) {
      const config = await readConfig()
      change(config)
      await writeJson(configFile, config)
    },
    readState: (kind, key, schema) => readJson(stateFile(kind, key), schema),
    async listState(kind, schema) {
      const folder = join(stateFolder, kind)
      const names = await readdir(folder).catch(() => [])
      const files = names.filter((name) => name.endsWith('.json'))
      const values = await Promise.all(files.map((name) => readJson(join(folder, name), schema)))
      return values.filter((value) => value !== null)
    },
    writeState: (kind, key, value) => writeJson(stateFile(kind, key), value),
    removeState: (kind, key) => rm(stateFile(kind, key), { force: true }),
  }
}

function emptyConfig(): Config {
  return configSchema.parse({})
}

function folderOf(configured: string | undefined, usual: string): string {
  return join(configured || join(homedir(), usual), 'floe')
}

/** `null` for a file that is not there, or was written by something else. */
async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    const parsed = schema.safeParse(JSON.parse(await readFile(path, 'utf8')))
    return parsed.success ? parsed.data : null
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return null
    throw error
  }
}

/** Whole or not at all, and for this user alone: tokens and paths are in it. */
async function writeJson(path: string, value: object): Promise<void> {
  await makeFolder(dirname(path), 0o700)
  const part = `${path}.${process.pid}`
  await writeFile(part, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  await rename(part, path)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
