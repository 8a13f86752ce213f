import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { readFileBelow } from '../read-file.ts'
import { type ImportSource, SourceError, type SourceShare } from '../source.ts'
import {
  EXPORT_FILE,
  type ExportedShare,
  exportedShareSchema,
  exportSchema,
} from './export-format.ts'

/** A folder that `npm run export` wrote. Fails with `SourceError` where it is not a whole one. */
export async function openExport(folder: string): Promise<ImportSource> {
  const exported = await readJson(join(folder, EXPORT_FILE), exportSchema)
  const { accounts, reverseShares, version } = exported
  const names = await readdir(folder)
  const ids = names.flatMap((name) => /^([A-Za-z0-9_-]+)\.json$/.exec(name)?.[1] ?? []).sort()
  const known = new Set(ids)
  return {
    key: 'floe',
    product: `an export of Floe ${version}`,
    users: () =>
      accounts.map((account) => ({
        ...account,
        createdAt: new Date(account.createdAt),
        sessions: [],
      })),
    reverseShares: () =>
      reverseShares.map(({ expiration, ...one }) => ({
        ...one,
        createdAt: new Date(one.createdAt),
        expiresAt: new Date(expiration),
      })),
    settings: () => [],
    logo: async () => null,
    async *shares(atOnce) {
      for (let start = 0; start < ids.length; start += atOnce) {
        const page = ids.slice(start, start + atOnce)
        const shares = page.map((id) => readJson(join(folder, `${id}.json`), exportedShareSchema))
        yield await Promise.all((await Promise.all(shares)).map((share) => toShare(folder, share)))
      }
    },
    hasShare: (id) => known.has(id),
    losses: () => [],
    close: async () => {},
  }
}

async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new SourceError(`${path} cannot be read: this is no whole export of Floe.`, { cause })
  })
  const parsed = schema.safeParse(toJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new SourceError(`${path} is not as an export has it: ${issue?.path.join('.')}.`)
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

async function toShare(
  folder: string,
  { expiration, files, ...share }: ExportedShare,
): Promise<SourceShare> {
  return {
    ...share,
    createdAt: new Date(share.createdAt),
    expiresAt: expiration === null ? null : new Date(expiration),
    isCompleted: true,
    files: await Promise.all(
      files.map(async ({ id, name, size, createdAt, path }) => ({
        id,
        name,
        sizeBytes: size,
        createdAt: new Date(createdAt),
        content: await readFileBelow(folder, path),
      })),
    ),
  }
}
