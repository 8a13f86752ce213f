import type { ObjectStore } from '@floe/storage'
import { objectOwners, type ObjectRegister, type RegisteredObject } from './object-register.ts'
import { holdsContent } from './compare-content.ts'
import type { Look, ObjectDifference, UnknownObject } from './differences.ts'
import { PAGE_ROWS, pagesOf } from './pages.ts'

export interface ObjectComparison {
  /** From every row to its object. */
  compareRows(look: Look): Promise<{ fileCount: number; differences: ObjectDifference[] }>
  /** From every object to its row. */
  compareStorage(look: Look): Promise<{ objectCount: number; differences: UnknownObject[] }>
  /** What is left of a difference found before. */
  lookAgain(
    difference: ObjectDifference | UnknownObject,
    look: Look,
  ): Promise<(ObjectDifference | UnknownObject)[]>
}

const STATS_AT_ONCE = 32

export interface ObjectComparisonOptions {
  register: ObjectRegister
  objects: ObjectStore
}

export function createObjectComparison(options: ObjectComparisonOptions): ObjectComparison {
  const { register, objects } = options
  return {
    compareRows: async (look) => {
      const differences: ObjectDifference[] = []
      let fileCount = 0
      for (const owner of objectOwners) {
        for await (const page of pagesOf((at) => register.page(owner, at), keyOf)) {
          if (owner === 'file') fileCount += page.length
          differences.push(...(await compare(objects, page, look)))
        }
      }
      return { fileCount, differences }
    },

    compareStorage: async ({ signal }) => {
      const differences: UnknownObject[] = []
      let objectCount = 0
      let batch: StoredObject[] = []
      const flush = async () => {
        signal.throwIfAborted()
        differences.push(...(await findUnknown(register, batch)))
        objectCount += batch.length
        batch = []
      }
      for await (const object of objects.list()) {
        batch.push(object)
        if (batch.length >= PAGE_ROWS) await flush()
      }
      await flush()
      return { objectCount, differences }
    },

    lookAgain: async (difference, look) => {
      if (difference.kind === 'object_unknown') {
        const storedBytes = await objects.storedBytes(difference.key)
        return storedBytes === null ? [] : findUnknown(register, [difference])
      }
      const { object } = difference
      const rows = await register.find([object.key])
      // To read its bytes once is enough while the row tells the same of them.
      const isSame = rows.some(({ sizeBytes }) => sizeBytes === object.sizeBytes)
      if (difference.kind === 'object_altered' && isSame) {
        const found = await compare(objects, rows, { ...look, isDeep: false })
        return found.length > 0 ? found : [difference]
      }
      return compare(objects, rows, look)
    },
  }
}

async function compare(
  objects: ObjectStore,
  registered: readonly RegisteredObject[],
  look: Look,
): Promise<ObjectDifference[]> {
  const differences: ObjectDifference[] = []
  for (let start = 0; start < registered.length; start += STATS_AT_ONCE) {
    look.signal.throwIfAborted()
    const group = registered.slice(start, start + STATS_AT_ONCE)
    const sizes = await Promise.all(group.map(({ key }) => objects.storedBytes(key)))
    for (const [index, object] of group.entries()) {
      const difference = await compareOne(objects, object, sizes[index] ?? null, look)
      if (difference) differences.push(difference)
    }
  }
  return differences
}

async function compareOne(
  objects: ObjectStore,
  object: RegisteredObject,
  storedBytes: number | null,
  { isDeep, signal }: Look,
): Promise<ObjectDifference | null> {
  const { sizeBytes, isExact, mayBeMissing } = object
  if (storedBytes === null) return mayBeMissing ? null : { kind: 'object_missing', object }
  const fits = isExact ? storedBytes === sizeBytes : storedBytes >= sizeBytes
  if (!fits) return { kind: 'object_size', object, storedBytes }
  if (!isDeep || (await holdsContent(objects, object, signal))) return null
  return { kind: 'object_altered', object }
}

interface StoredObject {
  key: string
  sizeBytes: number
}

async function findUnknown(
  register: ObjectRegister,
  stored: readonly StoredObject[],
): Promise<UnknownObject[]> {
  const registered = new Set((await register.find(stored.map(keyOf))).map(keyOf))
  return stored
    .filter(({ key }) => !registered.has(key))
    .map((object) => ({ kind: 'object_unknown', ...object }))
}

const keyOf = ({ key }: { key: string }): string => key
