import { isAppError } from '@floe/errors'

/** What somebody else knows; `null` while they cannot be reached, so that the rest can be told. */
export type ReadPart = <T>(part: string, read: () => Promise<T>) => Promise<T | null>

export function createPartReader(log: { warn(fields: object, message: string): void }): ReadPart {
  return async (part, read) => {
    try {
      return await read()
    } catch (error) {
      if (!isAppError(error) || error.code !== 'upstream_unavailable') throw error
      log.warn({ err: error, part }, 'part of the overview is unavailable')
      return null
    }
  }
}
