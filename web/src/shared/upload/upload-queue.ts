import { PARALLEL_UPLOADS } from './parallel-uploads.ts'
import type { UploadItem } from './upload-item.ts'

interface QueueOptions {
  items: ReadonlyMap<string, UploadItem>
  start: (item: UploadItem) => void
  whenIdle: (act: () => void) => void
}

export type UploadQueue = ReturnType<typeof createUploadQueue>

/** Begins the waiting files in their order, only so many at once. */
export function createUploadQueue({ items, start, whenIdle }: QueueOptions) {
  const waiting = [...items.keys()]
  const active = new Set<UploadItem>()
  let isPaused = false
  let isClosed = false
  let isAwaitingIdle = false

  const mayStart = () => !isClosed && !isPaused && active.size < PARALLEL_UPLOADS

  function takeNext(): UploadItem | null {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
      const item = items.get(key)
      // Those that were cancelled meanwhile are gone.
      if (item?.status.state === 'waiting') return item
    }
    return null
  }

  /** Beginning a file takes a while, and thousands of small ones are begun one after another. */
  function fill(): void {
    if (isAwaitingIdle || !mayStart() || waiting.length === 0) return
    isAwaitingIdle = true
    whenIdle(() => {
      isAwaitingIdle = false
      if (!mayStart()) return
      const item = takeNext()
      if (item) {
        active.add(item)
        start(item)
      }
      fill()
    })
  }

  return {
    fill,
    isPaused: () => isPaused,
    setPaused: (value: boolean) => void (isPaused = value),
    isActive: (item: UploadItem) => active.has(item),
    /** A paused file goes on, even if that makes one too many. */
    enter: (item: UploadItem) => void active.add(item),
    leave: (item: UploadItem) => void active.delete(item),
    putFirst: (key: string) => void waiting.unshift(key),
    close: () => void (isClosed = true),
  }
}
