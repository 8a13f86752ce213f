import { PARALLEL_UPLOADS } from './parallel-uploads.ts'
import type { UploadItem } from './upload-item.ts'

interface QueueOptions {
  items: ReadonlyMap<string, UploadItem>
  /** Picks from those that wait, in their order, the ones to begin together; the first among them. */
  choose: (waiting: readonly UploadItem[]) => readonly UploadItem[]
  start: (together: readonly UploadItem[]) => void
  whenIdle: (act: () => void) => void
}

export type UploadQueue = ReturnType<typeof createUploadQueue>

/** Begins the waiting files in their order, only so many at once; those begun together are one. */
export function createUploadQueue({ items, choose, start, whenIdle }: QueueOptions) {
  let waiting = [...items.keys()]
  /** What each file under way was begun with, as far as that is still under way. */
  const active = new Map<UploadItem, Set<UploadItem>>()
  const lanes = new Set<Set<UploadItem>>()
  const is = { paused: false, closed: false, awaitingIdle: false }

  const mayStart = () => !is.closed && !is.paused && lanes.size < PARALLEL_UPLOADS

  function enter(together: readonly UploadItem[]) {
    const lane = new Set(together)
    lanes.add(lane)
    for (const item of together) active.set(item, lane)
  }

  function leave(item: UploadItem) {
    const lane = active.get(item)
    active.delete(item)
    lane?.delete(item)
    if (lane?.size === 0) lanes.delete(lane)
  }

  function takeNext(): readonly UploadItem[] {
    // Those that were cancelled meanwhile are gone.
    const next = waiting.flatMap((key) => {
      const item = items.get(key)
      return item?.status.state === 'waiting' ? [item] : []
    })
    const together = next.length === 0 ? [] : choose(next)
    const taken = new Set(together)
    waiting = next.filter((item) => !taken.has(item)).map(({ status: { key } }) => key)
    return together
  }

  /** Beginning a file takes a while, and thousands may be begun one after another. */
  function fill(): void {
    if (is.awaitingIdle || !mayStart() || waiting.length === 0) return
    is.awaitingIdle = true
    whenIdle(() => {
      is.awaitingIdle = false
      if (!mayStart()) return
      const together = takeNext()
      if (together.length > 0) {
        enter(together)
        start(together)
      }
      fill()
    })
  }

  return {
    fill,
    isPaused: () => is.paused,
    setPaused: (value: boolean) => void (is.paused = value),
    isActive: (item: UploadItem) => active.has(item),
    /** A paused file goes on, even if that makes one too many. */
    enter: (item: UploadItem) => enter([item]),
    leave,
    /** Behind those that wait already. */
    add: (keys: readonly string[]) => void (waiting = [...new Set([...waiting, ...keys])]),
    putFirst: (key: string) => void waiting.unshift(key),
    close: () => void (is.closed = true),
  }
}
