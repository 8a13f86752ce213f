import { randomUUID } from 'node:crypto'
import type { APIRequestContext, APIResponse } from 'playwright-core'

export interface NewShare {
  id?: string
  name?: string
  description?: string
  recipients?: string[]
  expiration?: string
  password?: string
  maxViews?: number
  files: Readonly<Record<string, string | Buffer>>
}

/** Makes a finished share over the wire, for journeys that are about what comes after. */
export async function makeShare(
  request: APIRequestContext,
  { id = `share-${randomUUID().slice(0, 8)}`, expiration = '7-days', ...share }: NewShare,
): Promise<string> {
  const { name, description, recipients = [], password, maxViews, files } = share
  const security = { password, maxViews }
  await expectOk(
    request.post('/api/shares', {
      data: { id, name, description, expiration, recipients, security },
    }),
  )
  for (const [path, content] of Object.entries(files)) await uploadFile(request, id, path, content)
  await expectOk(request.post(`/api/shares/${id}/complete`))
  return id
}

async function uploadFile(
  request: APIRequestContext,
  shareId: string,
  relativePath: string,
  content: string | Buffer,
): Promise<void> {
  const bytes = Buffer.from(content)
  const filename = relativePath.split('/').at(-1) ?? relativePath
  const metadata = { shareId, filename, ...(filename !== relativePath && { relativePath }) }
  await expectOk(
    request.post('/api/uploads', {
      data: bytes,
      headers: {
        'Tus-Resumable': '1.0.0',
        'Upload-Length': String(bytes.length),
        'Upload-Metadata': Object.entries(metadata)
          .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
          .join(','),
        'Content-Type': 'application/offset+octet-stream',
      },
    }),
  )
}

async function expectOk(pending: Promise<APIResponse>): Promise<void> {
  const response = await pending
  if (response.ok()) return
  throw new Error(`${response.url()} responded ${response.status()}: ${await response.text()}`)
}
