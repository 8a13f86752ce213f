import type { UploadItem } from './upload-item.ts'

/** Takes files that arrived out of their share. What fails meanwhile is tried again at the end. */
export function createTakingBack(remove: (item: UploadItem) => Promise<void>) {
  const left = new Map<UploadItem, Promise<void> | null>()

  function begin(item: UploadItem): Promise<void> {
    const removal = remove(item).then(
      () => void left.delete(item),
      (error: unknown) => {
        left.set(item, null)
        throw error
      },
    )
    left.set(item, removal)
    return removal
  }

  return {
    /** Resolves when it was tried: a failure is told at the end, where it matters. */
    begin: (item: UploadItem) => begin(item).catch(() => undefined),
    /** Fails with the first that cannot be taken back. */
    async finish(): Promise<void> {
      await Promise.all([...left].map(([item, removal]) => removal ?? begin(item)))
    },
  }
}
