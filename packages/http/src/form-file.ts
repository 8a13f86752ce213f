import { AppError } from '@floe/errors'
import { boundedBody } from './bounded-body.ts'
import express, { type Request, type Response } from 'express'

export interface FormFile {
  /** As the sender declares it. */
  type: string
  bytes: Uint8Array
}

/** Boundaries, part headers, and other fields if they are few. */
const AROUND_FILE_BYTES = 16_384

/**
 * The file in this field of a `multipart/form-data` body, which is held in memory whole. Fails with
 * payload_too_large, at once where the head tells; unsupported_media_type; validation_failed.
 */
export async function readFormFile(
  req: Request,
  res: Response,
  { field, mostBytes }: { field: string; mostBytes: number },
): Promise<FormFile> {
  const limit = mostBytes + AROUND_FILE_BYTES
  if (!req.is('multipart/form-data')) throw new AppError('unsupported_media_type')
  const file = (await parseForm(req, await readBody(req, res, limit))).get(field)
  if (!(file instanceof Blob)) throw invalid(`${field}: must be a file`)
  if (file.size > mostBytes) throw new AppError('payload_too_large')
  return { type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) }
}

async function readBody(req: Request, res: Response, limit: number): Promise<Buffer> {
  const read = boundedBody(express.raw({ limit, type: () => true }), limit)
  await new Promise<void>((resolve, reject) => {
    read(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)))
  })
  const body: unknown = req.body
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

/** By the parser that Node has for `fetch`. */
async function parseForm(req: Request, body: Buffer): Promise<FormData> {
  const headers = { 'Content-Type': req.get('content-type') ?? '' }
  try {
    return await new globalThis.Response(new Uint8Array(body), { headers }).formData()
  } catch (cause) {
    throw invalid('the form cannot be read', cause)
  }
}

function invalid(issue: string, cause?: unknown): AppError {
  return new AppError('validation_failed', { issues: [issue], cause })
}
