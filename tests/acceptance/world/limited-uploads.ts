import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as tus from 'tus-js-client'
import { expect, onTestFinished } from 'vitest'
import { writeRandomFile } from '../../e2e/harness/files.ts'
import { signUp } from './accounts.ts'
import { createClient } from './http-client.ts'
import { completeShare, createShare, openShare } from './shares.ts'
import type { FloeUnderTest } from './start-arrangements.ts'

export interface LimitedUpload {
  /** Requests that were refused for their size. */
  refusals: number
  upload: tus.Upload
}

/**
 * Sends a file through the proxy with tus-js-client, publishes it, and compares what a visitor
 * gets. Rejects with what tus-js-client gives up with.
 */
export async function uploadThrough(
  proxyUrl: string,
  floe: FloeUnderTest,
  { sizeBytes, options }: { sizeBytes: number; options: Partial<tus.UploadOptions> },
): Promise<LimitedUpload> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-limited-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'film.bin')
  await writeRandomFile(path, { sizeBytes, seed: folder })
  const owner = await signUp(floe)
  const shareId = await createShare(owner)
  const sent = await upload(path, {
    endpoint: `${proxyUrl}/api/uploads`,
    headers: { Cookie: owner.cookies.header('/api/uploads') },
    metadata: { shareId, filename: 'film.bin' },
    ...options,
  })
  await completeShare(owner, shareId)
  const visitor = createClient(floe.url)
  await openShare(visitor, shareId)
  const share = await visitor.send('GET', `/api/shares/${shareId}`)
  const { files } = share.body as { files: { id: string }[] }
  expect(files).toHaveLength(1)
  const file = await visitor.send('GET', `/api/shares/${shareId}/files/${files[0]?.id ?? ''}`)
  // Compared by itself: nobody wants to read the difference.
  expect(file.bytes.equals(await readFile(path))).toBe(true)
  return sent
}

function upload(path: string, options: tus.UploadOptions): Promise<LimitedUpload> {
  let refusals = 0
  return new Promise((resolve, reject) => {
    const one = new tus.Upload(createReadStream(path), {
      ...options,
      onAfterResponse: (_request, response) => {
        if (response.getStatus() === 413) refusals += 1
      },
      onSuccess: () => resolve({ refusals, upload: one }),
      onError: reject,
    })
    one.start()
  })
}
