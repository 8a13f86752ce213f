import { expect } from 'vitest'
import type { HttpResponse, Client, SendOptions } from './http-client.ts'

export const offsetStream = 'application/offset+octet-stream'

/** `Upload-Metadata`: keys with base64 values. */
export function encodeMetadata(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

export interface NewUpload {
  shareId: string
  filename: string
  relativePath?: string
  /** Absent defers it. */
  lengthBytes?: number
  headers?: Record<string, string>
  bytes?: Buffer | string
}

export function createUpload(
  client: Client,
  { shareId, filename, relativePath, lengthBytes, headers, bytes }: NewUpload,
): Promise<HttpResponse> {
  return sendTus(client, 'POST', '/api/uploads', {
    headers: {
      'Upload-Metadata': encodeMetadata({
        shareId,
        filename,
        ...(relativePath !== undefined && { relativePath }),
      }),
      ...(lengthBytes === undefined
        ? { 'Upload-Defer-Length': '1' }
        : { 'Upload-Length': String(lengthBytes) }),
      ...(bytes !== undefined && { 'Content-Type': offsetStream }),
      ...headers,
    },
    ...(bytes !== undefined && { bytes }),
  })
}

/** Creates an upload that is expected to be accepted; returns its path. */
export async function beginUpload(client: Client, upload: NewUpload): Promise<string> {
  const response = await createUpload(client, upload)
  expect(response.status, response.text).toBe(201)
  expect(response.headers.location).toMatch(/^\/api\/uploads\/[\w-]{16,}$/)
  return response.headers.location ?? ''
}

export function append(
  client: Client,
  path: string,
  offsetBytes: number,
  bytes: Buffer | string,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  return sendTus(client, 'PATCH', path, {
    bytes,
    headers: { 'Upload-Offset': String(offsetBytes), 'Content-Type': offsetStream, ...headers },
  })
}

export async function offsetOf(client: Client, path: string): Promise<number> {
  const response = await sendTus(client, 'HEAD', path)
  expect(response.status).toBe(200)
  return Number(response.headers['upload-offset'])
}

export function sendTus(
  client: Client,
  method: string,
  path: string,
  options: SendOptions = {},
): Promise<HttpResponse> {
  return client.send(method, path, {
    ...options,
    headers: { 'Tus-Resumable': '1.0.0', ...options.headers },
  })
}
