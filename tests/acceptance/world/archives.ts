import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { expect, vi } from 'vitest'
import type { Client } from './http-client.ts'

export function archivePath(shareId: string): string {
  return `/api/shares/${shareId}/files/zip`
}

/** The response to a GET whose body is read as it comes. */
export async function openBody(
  client: Client,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const req = request(new URL(path, client.url), {
    headers: { Cookie: client.cookies.header(path), ...headers },
  })
  req.end()
  const [response] = (await once(req, 'response')) as [IncomingMessage]
  // A client that stops reading early ends the connection, which is no failure.
  response.on('error', () => undefined)
  return response
}

/** Returns the SHA-256 of what is now in the file. */
export async function saveBody(
  response: IncomingMessage,
  file: string,
): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  response.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    sizeBytes += chunk.length
  })
  await pipeline(response, createWriteStream(file))
  expect(response.complete).toBe(true)
  return { sha256: hash.digest('hex'), sizeBytes }
}

/** Runs a program; its output, once it ended well. */
export async function expectAccepted(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code, `${program}: ${output}`).toBe(0)
  return output
}

export interface ArchiveState {
  isZipReady: boolean
  progress?: number
}

/** What a visitor is told of Download all. */
export async function readArchiveState(visitor: Client, shareId: string): Promise<ArchiveState> {
  const { status, text, body } = await visitor.send('GET', `/api/shares/${shareId}/metaData`)
  expect(status, text).toBe(200)
  return body as ArchiveState
}

/** Every progress told until the archive was ready. */
export async function waitForArchive(
  visitor: Client,
  shareId: string,
  timeoutMs = 60_000,
): Promise<number[]> {
  const told: number[] = []
  await vi.waitFor(
    async () => {
      const { isZipReady, progress } = await readArchiveState(visitor, shareId)
      if (progress !== undefined) told.push(progress)
      if (!isZipReady) throw new Error(`prepared to ${progress}`)
    },
    { timeout: timeoutMs, interval: 100 },
  )
  return told
}
