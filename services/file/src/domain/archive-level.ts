import type { AdminPort } from '@floe/contracts'

/**
 * The compression level that archives have now, 0 to 9. While the settings cannot be asked for, it
 * is the last one heard of: what is ready can still be downloaded.
 */
export function createArchiveLevel({
  admin,
}: {
  admin: Pick<AdminPort, 'settings'>
}): () => Promise<number> {
  let last: number | null = null

  return async () => {
    try {
      const { 'share.zipCompressionLevel': level } = await admin.settings({})
      last = level
      return level
    } catch (error) {
      if (last === null) throw error
      return last
    }
  }
}
