import type { ReadStored } from '@floe/encryption'
import { getChunkReader } from '../../../shared/byte-reader.ts'
import { apiPaths } from '../../../shared/paths.ts'

/** The server does not give it out; asking again would not help. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(status: number) {
    super(`the server responded with ${status}`)
  }
}

/**
 * Reads ciphertexts of a share that is open here, each piece in the memory of the one before. Only
 * what `isDownload` counts as one.
 */
export function createReadStored(shareId: string, isDownload = false): ReadStored {
  return async function* (fileId, { start, end }) {
    const response = await fetch(
      apiPaths.file(shareId, fileId) + (isDownload ? '' : '?download=false'),
      { headers: { Range: `bytes=${start}-${end - 1}` } },
    )
    const isThere = response.status === 206 || (response.status === 200 && start === 0)
    if (!isThere || response.body === null) throw await refusalOf(response)
    const reader = getChunkReader(response.body)
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return undefined
        yield value
      }
    } finally {
      await reader.cancel()
    }
  }
}

async function refusalOf(response: Response): Promise<Error> {
  await response.body?.cancel()
  // What comes from a proxy whose server is away is over soon.
  return response.status < 500 ? new Refusal(response.status) : new Error(response.statusText)
}
