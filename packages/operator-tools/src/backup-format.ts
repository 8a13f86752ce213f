import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { StartError } from '@floe/db'
import { isObjectKey } from '@floe/storage'
import { z } from 'zod'

/*
 * A backup is a folder: `manifest.json`, written last; `tables/<name>.jsonl`, a row a line;
 * `objects.jsonl`, an object a line; `objects/<first two characters>/<key>`; `secret.key`.
 */
export const FORMAT = 1

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)
const writtenFile = { sizeBytes: z.int().min(0), sha256: digest }

export const tableSchema = z.object({ name, rows: z.int().min(0), ...writtenFile })
export type TableEntry = z.infer<typeof tableSchema>

export const objectSchema = z.object({
  key: z.string().refine(isObjectKey),
  /** Absent where the object was lost before; `owner` then says what it was. */
  stored: z.object(writtenFile).optional(),
  owner: z.enum(['file', 'upload', 'segment', 'thumbnail']),
})
export type ObjectEntry = z.infer<typeof objectSchema>

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Names by the service they belong to, as its ledger has them. */
  migrations: z.record(name, z.array(z.string())),
  tables: z.array(tableSchema),
  objects: z.object({ count: z.int().min(0), bytes: z.int().min(0), ...writtenFile }),
  /** Its digest; null for parts that run apart, which share INTERNAL_SECRET. */
  secretKey: digest.nullable(),
})
export type Manifest = z.infer<typeof manifestSchema>

export const manifestPath = (folder: string) => join(folder, 'manifest.json')
export const secretPath = (folder: string) => join(folder, 'secret.key')
export const objectListPath = (folder: string) => join(folder, 'objects.jsonl')
export const tablePath = (folder: string, table: string) => join(folder, 'tables', `${table}.jsonl`)
export const objectPath = (folder: string, key: string) =>
  join(folder, 'objects', key.slice(0, 2), key)

/** Appends lines to a new file and knows what it holds. */
export interface LineFile {
  write(lines: readonly string[]): Promise<void>
  /** Durable once it resolves. */
  finish(): Promise<{ sizeBytes: number; sha256: string }>
}

export async function createLineFile(path: string): Promise<LineFile> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let sizeBytes = 0
  return {
    write: async (lines) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      hash.update(bytes)
      sizeBytes += bytes.length
      await file.writeFile(bytes)
    },
    finish: async () => {
      await file.sync()
      await file.close()
      return { sizeBytes, sha256: hash.digest('hex') }
    },
  }
}

/** Lines a batch at a time; fails at the end unless they are those that were written. */
export async function* readLines(
  path: string,
  written: { sizeBytes: number; sha256: string },
): AsyncGenerator<string[]> {
  const hash = createHash('sha256')
  const input = createReadStream(path)
  input.on('data', (chunk) => hash.update(chunk))
  let batch: string[] = []
  let characters = 0
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    batch.push(line)
    characters += line.length
    if (batch.length < 1_000 && characters < 4_000_000) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
  if (hash.digest('hex') !== written.sha256) throw new StartError(`${path} is damaged.`)
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const draft = `${manifestPath(folder)}.draft`
  const file = await open(draft, 'wx', 0o600)
  await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`)
  await file.sync()
  await file.close()
  await rename(draft, manifestPath(folder))
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(manifestPath(folder), 'utf8').catch((cause: unknown) => {
    throw new StartError(
      `${folder} does not contain a complete backup: manifest.json is missing.`,
      cause,
    )
  })
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new StartError(`${manifestPath(folder)} is damaged or has an unsupported version.`, cause)
  }
}
