import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { type Client, createClient, type HttpResponse } from './http-client.ts'

export function newShareId(): string {
  return `share-${randomBytes(8).toString('hex')}`
}

export interface ShareOptions {
  id?: string
  name?: string
  description?: string
  expiration?: string
  security?: { password?: string; maxViews?: number }
  encrypted?: true
  sealedKey?: string
}

export async function createShare(owner: Client, options: ShareOptions = {}): Promise<string> {
  const { id = newShareId(), expiration = '1-day', ...rest } = options
  const response = await owner.send('POST', '/api/shares', {
    json: { id, expiration, recipients: [], ...rest },
  })
  expect(response.status, response.text).toBe(201)
  return id
}

export interface Chunk {
  name: string
  id?: string
  index?: number
  total?: number
}

export function sendChunk(
  client: Client,
  shareId: string,
  { name, id, index = 0, total = 1 }: Chunk,
  bytes: Buffer | string,
): Promise<HttpResponse> {
  const query = new URLSearchParams({
    ...(id !== undefined && { id }),
    name,
    chunkIndex: String(index),
    totalChunks: String(total),
  })
  return client.send('POST', `/api/shares/${shareId}/files?${query.toString()}`, {
    bytes,
    headers: { 'Content-Type': 'application/octet-stream' },
  })
}

/** Puts one small file into an open share; returns its id. */
export async function addFile(
  owner: Client,
  shareId: string,
  name: string,
  content: Buffer | string,
): Promise<string> {
  const response = await sendChunk(owner, shareId, { name }, content)
  expect(response.status, response.text).toBe(201)
  return (response.body as { id: string }).id
}

export async function completeShare(owner: Client, shareId: string): Promise<void> {
  const response = await owner.send('POST', `/api/shares/${shareId}/complete`)
  expect(response.status, response.text).toBe(202)
}

export interface PublishedShare {
  id: string
  /** In the order of the files given. */
  fileIds: string[]
}

export async function publishShare(
  owner: Client,
  files: Record<string, Buffer | string>,
  options: ShareOptions = {},
): Promise<PublishedShare> {
  const id = await createShare(owner, options)
  const fileIds: string[] = []
  for (const [name, content] of Object.entries(files)) {
    fileIds.push(await addFile(owner, id, name, content))
  }
  await completeShare(owner, id)
  return { id, fileIds }
}

/** Begins a visit: the client holds the share's cookie afterwards. */
export async function openShare(
  visitor: Client,
  shareId: string,
  password?: string,
): Promise<HttpResponse> {
  return visitor.send('POST', `/api/shares/${shareId}/token`, {
    json: password === undefined ? {} : { password },
  })
}

/** The texts of an opened share's files by their names. */
export async function readFiles(visitor: Client, shareId: string): Promise<Record<string, string>> {
  const { body } = await visitor.send('GET', `/api/shares/${shareId}`)
  const read = (body as { files: { id: string; name: string }[] }).files.map(
    async ({ id, name }) => {
      const { text } = await visitor.send('GET', `/api/shares/${shareId}/files/${id}`)
      return [name, text] as const
    },
  )
  return Object.fromEntries(await Promise.all(read))
}

export function keysOf(body: unknown): string[] {
  return Object.keys(body as object).sort()
}

/** Where a caller finds the code, whichever shape the wire asks for. */
export function codeOf({ body, headers }: HttpResponse): string | undefined {
  const { code, error } = (typeof body === 'object' && body !== null ? body : {}) as {
    code?: string
    error?: string
  }
  return code ?? (headers['x-error-code'] as string | undefined) ?? error
}

/** The one file of a share, as a visitor gets it who follows the link. */
export async function readDirectShare(url: string, link: string): Promise<Buffer> {
  const id = link.trim().split('/').at(-1) ?? ''
  const visitor = createClient(url)
  await openShare(visitor, id)
  const { body } = await visitor.send('GET', `/api/shares/${id}`)
  const [file, ...others] = (body as { files: { id: string }[] }).files
  expect(others).toEqual([])
  return (await visitor.send('GET', `/api/shares/${id}/files/${file?.id ?? ''}`)).bytes
}
