import { readFile } from 'node:fs/promises'
import type { Arrangement } from '@floe/testing'

/** What kind of a response a test was given. */
export interface NotedResponse {
  test: string
  /** What was asked for and how it went, the same for things of the same kind. */
  kind: string
  headers: string[]
  body: string
}

/** Fewer may be chance: a job that was done sooner here than there. */
const OFTEN = 3

/**
 * Fails with every kind of response that one arrangement gives often, or only, and the other never
 * gives to the same tests: then the way between gateway and services has changed it.
 */
export async function compareResponses(files: Record<Arrangement, string>): Promise<void> {
  const embedded = await readNoted(files.embedded)
  const split = await readNoted(files.split)
  const names = (notes: readonly NotedResponse[]) => new Set(notes.map(({ test }) => test))
  const [here, there] = [names(embedded), names(split)]
  const ofBoth = (notes: readonly NotedResponse[]) =>
    groupByKind(notes.filter(({ test }) => here.has(test) && there.has(test)))
  const [known, seen] = [ofBoth(embedded), ofBoth(split)]
  const different = [...known].flatMap(([kind, ways]) => {
    const others = seen.get(kind)
    return others === undefined ? [] : describeDifference(kind, ways, others)
  })
  const kinds = [...known.keys()].filter((kind) => seen.has(kind)).length
  console.log(
    `${embedded.length + split.length} responses, ${kinds} kinds in both arrangements, ${different.length} differ`,
  )
  if (different.length > 0) throw new Error(different.slice(0, 20).join('\n\n'))
}

async function readNoted(file: string): Promise<NotedResponse[]> {
  const text = await readFile(file, 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as NotedResponse)
}

/** How often each kind of response occurs. */
type Ways = Map<string, number>

/** What a test is given again and again, waiting for something to happen, counts once. */
function groupByKind(notes: readonly NotedResponse[]): Map<string, Ways> {
  const groups = new Map<string, Ways>()
  const last = new Map<string, string>()
  for (const { test, kind, headers, body } of notes) {
    const way = [...headers, body].join('\n')
    const call = `${test}\n${kind}`
    if (last.get(call) === way) continue
    last.set(call, way)
    const ways = groups.get(kind) ?? new Map<string, number>()
    groups.set(kind, ways.set(way, (ways.get(way) ?? 0) + 1))
  }
  return groups
}

function describeDifference(kind: string, embedded: Ways, split: Ways): string[] {
  const isDisjoint = [...embedded.keys()].every((way) => !split.has(way))
  const missing = (ways: Ways, others: Ways) =>
    [...ways].filter(([way, count]) => !others.has(way) && (isDisjoint || count >= OFTEN))
  const tell = (arrangement: Arrangement, ways: [way: string, count: number][]) =>
    ways.map(([way, count]) => `${count} × ${arrangement} only:\n${way}`)
  const lines = [
    ...tell('embedded', missing(embedded, split)),
    ...tell('split', missing(split, embedded)),
  ]
  return lines.length === 0 ? [] : [[kind, ...lines].join('\n')]
}
