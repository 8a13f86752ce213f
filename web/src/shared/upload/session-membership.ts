import { type QueuedFile, toItem, type UploadItem } from './upload-item.ts'
import type { UploadQueue } from './upload-queue.ts'

interface MembershipOptions {
  items: Map<string, UploadItem>
  queue: UploadQueue
  seal: (file: QueuedFile) => QueuedFile
  removeItem: (item: UploadItem) => void
  /** Whether all is there must be known at once: somebody may share it next. */
  refresh: () => void
}

/** Which files a session has, while it is under way. */
export function createMembership({ items, queue, seal, removeItem, refresh }: MembershipOptions) {
  return {
    add(files: readonly QueuedFile[], order: readonly string[] = []) {
      for (const file of files) items.set(file.entry.key, toItem(seal(file)))
      putFirst(items, order)
      queue.add(files.map(({ entry }) => entry.key))
      queue.fill()
      refresh()
    },
    remove(keys: readonly string[]) {
      for (const key of keys) {
        const item = items.get(key)
        if (item) removeItem(item)
      }
      queue.fill()
      refresh()
    },
  }
}

/** A map keeps the order in which its keys came. */
function putFirst(items: Map<string, UploadItem>, order: readonly string[]): void {
  if (order.length === 0) return
  const all = new Map(items)
  items.clear()
  for (const key of new Set([...order, ...all.keys()])) {
    const item = all.get(key)
    if (item) items.set(key, item)
  }
}
