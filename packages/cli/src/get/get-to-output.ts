import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { CliError, exitCodes } from '../failures.ts'
import { createPatience, persist } from '../send/patience.ts'
import { bytesOf } from '../http-client.ts'
import { outputFailure } from '../output.ts'
import { fetchBytes } from './fetch-bytes.ts'
import type { RemoteFile } from './remote-file.ts'
import type { Visit } from './visit.ts'

/** Writes the one file of a share, or a ZIP of all of them, to a pipe. */
export async function getToOutput(
  visit: Visit,
  files: readonly RemoteFile[],
  output: Writable,
): Promise<void> {
  const { share } = visit
  // Each write hears of its failure itself.
  output.on('error', () => undefined)
  const [file, ...others] = files
  if (!file || others.length > 0) {
    if (share.encrypted) {
      const why = 'Several encrypted files cannot be written into a pipe'
      throw new CliError(`${why}: use --output DIR.`, exitCodes.usage)
    }
    // It is asked for again until it is prepared.
    const path = `/api/shares/${encodeURIComponent(share.id)}/files/zip`
    const response = await persist(() => fetchBytes(visit, path), createPatience(visit))
    for await (const bytes of bytesOf(response)) await writeTo(output, bytes)
    return
  }
  const size = file.sizeBytes
  const hash = createHash('sha256')
  const patience = createPatience(visit)
  let at = 0
  while (at < size) {
    try {
      for await (const bytes of file.read({ start: at, end: size })) {
        at += bytes.length
        hash.update(bytes)
        patience.progressed()
        await writeTo(output, bytes)
      }
    } catch (error) {
      await patience.afterFailure(error)
    }
  }
  if (file.sha256 !== undefined && hash.digest('hex') !== file.sha256) {
    throw new CliError('What was written is damaged (SHA-256). Try again.')
  }
}

/** Resolves when the memory may be used again. */
function writeTo(output: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(bytes, (error) => (error ? reject(outputFailure(error)) : resolve()))
  })
}
