import { createHash } from 'node:crypto'
import {
  attempt,
  BrokenPromise,
  type Caller,
  insist,
  nameOf,
  pauseAfter,
} from './patient-client.ts'

/** Opens a share; the caller with the visit's cookie. */
export async function visit(caller: Caller, shareId: string): Promise<Caller> {
  const response = await insist(caller, {
    method: 'POST',
    path: `/api/shares/${shareId}/token`,
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  })
  if (!response.ok) throw new BrokenPromise(`visit: ${response.status} ${await response.text()}`)
  await response.body?.cancel()
  const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return { ...caller, cookie: pairs.join('; ') }
}

/** The files of a published share, by name. */
export async function listFiles(visitor: Caller, shareId: string): Promise<Map<string, string>> {
  const share = await readJson<{ files: { id: string; name: string }[] }>(
    visitor,
    `/api/shares/${shareId}`,
  )
  return new Map(share.files.map(({ id, name }) => [name, id]))
}

/** Once Download all is prepared. */
export async function waitForArchive(visitor: Caller, shareId: string): Promise<void> {
  for (;;) {
    const path = `/api/shares/${shareId}/metaData`
    const { isZipReady } = await readJson<{ isZipReady: boolean }>(visitor, path)
    if (isZipReady) return
    await pauseAfter({ url: visitor.url, cookie: '' }, 'an archive that is being made')
  }
}

async function readJson<Body>(caller: Caller, path: string): Promise<Body> {
  for (;;) {
    const response = await insist(caller, { method: 'GET', path })
    if (!response.ok) {
      throw new BrokenPromise(`GET ${path}: ${response.status} ${await response.text()}`)
    }
    try {
      return (await response.json()) as Body
    } catch (error) {
      await pauseAfter(caller, `GET ${nameOf(error)}`)
    }
  }
}

/** The whole body, however often it breaks off: each time the rest is asked for. */
export async function download(visitor: Caller, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let receivedBytes = 0
  let etag: string | null = null
  for (;;) {
    const response = await attempt(visitor, {
      method: 'GET',
      path,
      headers: etag === null ? {} : { Range: `bytes=${receivedBytes}-`, 'If-Range': etag },
    })
    if (!response) continue
    if (response.status === 200) {
      chunks.length = 0
      receivedBytes = 0
    } else if (response.status !== 206) {
      throw new BrokenPromise(`GET ${path}: ${response.status} ${await response.text()}`)
    }
    etag = response.headers.get('etag')
    try {
      for await (const chunk of response.body ?? []) {
        chunks.push(Buffer.from(chunk))
        receivedBytes += chunk.byteLength
      }
      return Buffer.concat(chunks)
    } catch (error) {
      await pauseAfter(visitor, `GET ${nameOf(error)} in its middle`)
    }
  }
}

export function sha256Of(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}
