import type { Readable } from 'node:stream'
import { AppError } from '@floe/errors'
import busboy from 'busboy'
import type { Request } from 'express'

export type FormPart =
  | { kind: 'field'; name: string; value: string }
  /** Its body is to be read to its end before the next part is asked for. */
  | { kind: 'file'; name: string; filename: string; body: Readable }

const limits = {
  fieldNameSize: 100,
  fieldSize: 10_000,
  fields: 50,
  files: 1_000,
  parts: 1_050,
  headerPairs: 20,
}

/**
 * The parts of a `multipart/form-data` body (RFC 7578) in their order, while it comes. Ends reading
 * where it is left. Fails with validation_failed, upload_interrupted.
 */
export async function* readFormParts(req: Request): AsyncGenerator<FormPart, void, undefined> {
  const arrived: FormPart[] = []
  let failure: AppError | null = null
  let isOver = false
  let wake: () => void = () => undefined
  const note = (change: () => void) => () => {
    change()
    wake()
  }
  const fail = (error: AppError) => note(() => (failure ??= error))
  const form = createParser(req)
  form.on('file', (name, body, { filename }) => {
    // Told by `close` to who reads it; one that nobody has come to yet must not end the process.
    body.on('error', () => undefined)
    // A field without a name of a file is how browsers send an empty choice.
    if (filename === undefined || filename === '') body.resume()
    else note(() => arrived.push({ kind: 'file', name, filename, body }))()
  })
  form.on('field', (name, value, { nameTruncated, valueTruncated }) => {
    if (nameTruncated || valueTruncated) fail(invalid(`${name}: is too long`))()
    else note(() => arrived.push({ kind: 'field', name, value }))()
  })
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    form.on(limit, fail(invalid('the form has too many parts')))
  }
  form.on('error', (cause) => {
    fail(cause instanceof AppError ? cause : invalid('the form cannot be read', cause))()
  })
  form.on(
    'close',
    note(() => (isOver = true)),
  )
  const leave = () => {
    if (!req.readableEnded) form.destroy(new AppError('upload_interrupted'))
  }
  req.on('close', leave)
  req.pipe(form)
  try {
    for (;;) {
      const part = arrived.shift()
      if (part !== undefined) yield part
      else if (failure !== null) throw failure
      else if (isOver) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    req.off('close', leave)
    req.unpipe(form)
    form.destroy()
  }
}

function createParser({ headers }: Request): busboy.Busboy {
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8', preservePath: true })
  } catch (cause) {
    throw invalid('the form cannot be read', cause)
  }
}

function invalid(issue: string, cause?: unknown): AppError {
  return new AppError('validation_failed', { issues: [issue], cause })
}
