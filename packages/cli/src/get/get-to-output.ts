import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CliError } from '../failures.ts'
import { createPatience, persist } from '../send/patience.ts'
import { bytesOf } from '../send-request.ts'
import { fetchBytes, filePath } from './fetch-bytes.ts'
import type { Visit } from './visit.ts'

/** Writes the one file of a share, or a ZIP of all of them, to a pipe. */
export async function getToOutput(visit: Visit, output: Writable): Promise<void> {
  const { share } = visit
  const [file, ...others] = share.files
  if (!file || others.length > 0) {
    // It is asked for again until it is prepared.
    const path = `/api/shares/${encodeURIComponent(share.id)}/files/zip`
    const response = await persist(() => fetchBytes(visit, path), createPatience())
    await pipeline(response.body, output, { end: false })
    return
  }
  const size = Number(file.size)
  const source = filePath(share.id, file.id)
  const hash = createHash('sha256')
  const patience = createPatience()
  let at = 0
  while (at < size) {
    try {
      const response = await fetchBytes(visit, source, { start: at, end: size })
      for await (const bytes of bytesOf(response)) {
        at += bytes.length
        hash.update(bytes)
        patience.progressed()
        if (!output.write(bytes)) await once(output, 'drain')
      }
    } catch (error) {
      await patience.afterFailure(error)
    }
  }
  if (file.sha256 !== undefined && hash.digest('hex') !== file.sha256) {
    throw new CliError('What was written is damaged (SHA-256). Try again.')
  }
}
