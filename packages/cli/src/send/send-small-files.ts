import {
  BATCH_TYPE,
  batchResponseSchema,
  encodeManifest,
  fitsInBatch,
  MOST_REQUEST_BYTES,
  type RequestLimit,
  takeForRequest,
} from '@floe/contracts'
import { CliError, refusedByProxy } from '../failures.ts'
import { isRefusedByProxy, jsonOf, refusalOf } from '../http-client.ts'
import type { Server } from '../server.ts'
import { smallFileId } from './local-files.ts'
import type { OutgoingFile } from './outgoing-file.ts'
import { createPatience, type OnWait } from './patience.ts'

/** As the page sends them, see docs/adr/0035. */
const REQUESTS_AT_ONCE = 5
const FILES_READ_AT_ONCE = 32

export interface SendSmallFilesOptions {
  server: Server
  limit: RequestLimit
  shareId: string
  files: readonly OutgoingFile[]
  onSent: (bytes: number) => void
  onWait: OnWait
}

export interface RefusedFile {
  /** On this machine: what travels encrypted has a name that says nothing. */
  path: string
  error: string
}

/** Sends many files in one request each time. Returns those that the server refused. */
export async function sendSmallFiles(options: SendSmallFilesOptions): Promise<RefusedFile[]> {
  const waiting = [...options.files]
  const refused: RefusedFile[] = []
  const sendSome = async () => {
    const patience = createPatience({ onWait: options.onWait })
    while (waiting.length > 0) {
      const mostBytes = Math.min(MOST_REQUEST_BYTES, options.limit.bytes())
      const files = takeForRequest(waiting, (file) => file, mostBytes)
      waiting.splice(0, files.length)
      try {
        const { refused: named, isCut } = await sendBatch(options, files)
        if (isCut) {
          waiting.unshift(...files)
          continue
        }
        refused.push(...named)
        patience.progressed()
      } catch (error) {
        await patience.afterFailure(error)
        waiting.unshift(...files)
      }
    }
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, sendSome))
  return refused
}

async function sendBatch(
  { server, limit, shareId, onSent }: SendSmallFilesOptions,
  files: readonly OutgoingFile[],
): Promise<{ refused: RefusedFile[]; isCut: boolean }> {
  const contents = await readAll(files)
  const head = encodeManifest(
    files.map((file, index) => ({
      id: smallFileId(shareId, file),
      name: file.name,
      sizeBytes: contents[index]?.length ?? 0,
    })),
  )
  const body = Buffer.concat([head, ...contents])
  const response = await server.send({
    method: 'POST',
    path: `/api/shares/${encodeURIComponent(shareId)}/files/batch`,
    headers: { 'Content-Type': BATCH_TYPE, 'Content-Length': body.length },
    body,
  })
  if (response.status === 200) {
    const { refused } = batchResponseSchema.parse(await jsonOf(response))
    onSent(contents.reduce((sum, { length }) => sum + length, 0))
    const pathOf = (name: string) => files.find((file) => file.name === name)?.path ?? name
    return {
      refused: refused.map(({ name, error }) => ({ path: pathOf(name), error })),
      isCut: false,
    }
  }
  const isProxy = isRefusedByProxy(response)
  const refusal = await refusalOf(response)
  if (!isProxy) throw refusal
  if (!limit.refused(body.length)) throw refusedByProxy()
  return { refused: [], isCut: true }
}

async function readAll(files: readonly OutgoingFile[]): Promise<Buffer[]> {
  const contents: Buffer[] = []
  for (let at = 0; at < files.length; at += FILES_READ_AT_ONCE) {
    const some = files.slice(at, at + FILES_READ_AT_ONCE)
    contents.push(...(await Promise.all(some.map(readSmall))))
  }
  return contents
}

async function readSmall(file: OutgoingFile): Promise<Buffer> {
  const content = await file.readWhole()
  if (!fitsInBatch(content.length)) throw new CliError(`${file.path} has become larger.`)
  return content
}
