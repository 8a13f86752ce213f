import { closeFile, openFile, syncFile } from './file-system.ts'

/**
 * Makes directory entries durable, or by another `sync` more than that. Callers of the same
 * directory share one: a caller that comes while one is running waits for the next, because the
 * running one may have begun too early.
 */
export function createDirectorySync(
  sync: (directory: string) => Promise<void> = syncDirectory,
): (directory: string) => Promise<void> {
  const running = new Map<string, { current: Promise<void>; next: Promise<void> | undefined }>()

  function start(directory: string): Promise<void> {
    const entry = {
      current: sync(directory),
      next: undefined as Promise<void> | undefined,
    }
    running.set(directory, entry)
    const settle = () => {
      if (running.get(directory) === entry && entry.next === undefined) running.delete(directory)
    }
    entry.current.then(settle, settle)
    return entry.current
  }

  return (directory) => {
    const entry = running.get(directory)
    if (entry === undefined) return start(directory)
    const startNext = () => start(directory)
    entry.next ??= entry.current.then(startNext, startNext)
    return entry.next
  }
}

export async function syncDirectory(directory: string): Promise<void> {
  const fd = await openFile(directory, 'r')
  try {
    await syncFile(fd)
  } finally {
    await closeFile(fd)
  }
}
