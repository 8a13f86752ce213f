import { fileRoutes, type ReadGrant } from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import { implement, type ImplementedRoute, requestCredentials } from '@floe/http'
import type { ByteSource } from '@floe/storage'
import type { Request, Response } from 'express'
import { createArchiveSource } from '../archive/index.ts'
import type { FileServiceParts } from '../domain/parts.ts'
import type { StoredFile } from '../domain/ports.ts'
import {
  planDownload,
  type Representation,
  unsatisfiableRangeHeaders,
} from '../download/plan-download.ts'
import { sendBytes } from '../download/send-bytes.ts'

/** Bytes leave only through these two, and both take a grant. */
export function createDownloadRoutes(parts: FileServiceParts): ImplementedRoute[] {
  return [
    implement(fileRoutes.downloadArchive, async ({ req, res, params }) => {
      const grant = await authorize(parts, req, params.shareId)
      await sendArchive(parts, grant, req, res)
    }),
    implement(fileRoutes.downloadFile, async ({ req, res, params, query }) => {
      const grant = await authorize(parts, req, params.shareId)
      await sendFile(parts, grant, params.fileId, { req, res, preview: query.download === 'false' })
    }),
    implement(fileRoutes.deleteFile, async ({ req, res, params }) => {
      await deleteFile(parts, req, params)
      res.status(200).end()
    }),
  ]
}

function authorize(parts: FileServiceParts, req: Request, shareId: string): Promise<ReadGrant> {
  return parts.ports.share.authorizeRead({
    shareId,
    access: 'direct',
    credentials: requestCredentials(req, shareId),
  })
}

async function sendFile(
  parts: FileServiceParts,
  grant: ReadGrant,
  fileId: string,
  { req, res, preview }: { req: Request; res: Response; preview: boolean },
): Promise<void> {
  const file = uuidPattern.test(fileId) ? await parts.files.find(grant.shareUid, fileId) : null
  if (!file) throw new AppError('file_not_found')
  const representation: Representation = {
    filename: file.name.split('/').at(-1) ?? file.name,
    sizeBytes: file.sizeBytes,
    sha256: file.sha256?.toString('hex') ?? null,
    etag: fileEtag(file),
    lastModifiedAt: file.createdAt,
  }
  await send(parts, { req, res, representation, preview }, async (span) => {
    const reader = await parts.objects.openReader(file.objectKey, span)
    return { source: reader, close: () => reader.close() }
  })
}

async function sendArchive(
  parts: FileServiceParts,
  grant: ReadGrant,
  req: Request,
  res: Response,
): Promise<void> {
  const { plan, newestAt } = await parts.plans.planFor(grant)
  const representation: Representation = {
    filename: `${grant.shareId}.zip`,
    sizeBytes: plan.sizeBytes,
    sha256: null,
    etag: plan.etag,
    lastModifiedAt: newestAt,
  }
  await send(parts, { req, res, representation, preview: false }, (span) => {
    const source = createArchiveSource(plan, {
      openObject: (key, part) => parts.objects.openReader(key, part),
      span,
    })
    return Promise.resolve({ source, close: () => source.close() })
  })
}

interface Answer {
  req: Request
  res: Response
  representation: Representation
  preview: boolean
}

interface OpenSource {
  source: ByteSource
  close(): Promise<void>
}

async function send(
  { budget, log }: FileServiceParts,
  { req, res, representation, preview }: Answer,
  open: (span: { start: number; end: number }) => Promise<OpenSource>,
): Promise<void> {
  const plan = planOrRefuse({ req, res, representation, preview })
  // The object is opened before the head is sent, so that a missing one is a clean error.
  const opened = plan.span === null ? null : await open(plan.span)
  res.status(plan.status).set(plan.headers)
  if (opened === null || plan.span === null) {
    await opened?.close()
    res.end()
    return
  }
  try {
    // One write for head and first bytes would cost a copy; the head alone is out at once.
    res.flushHeaders()
    await sendBytes({ source: opened.source, res, ...plan.span, budget })
  } catch (error) {
    // The head is out: all that is left is to break the connection, which sendBytes did.
    log.error({ err: error, path: req.path }, 'download broke off')
  } finally {
    await opened.close()
  }
}

function planOrRefuse({ req, res, representation, preview }: Answer) {
  try {
    return planDownload({ method: req.method, headers: req.headers }, representation, { preview })
  } catch (error) {
    if (isAppError(error, 'range_not_satisfiable')) {
      res.set(unsatisfiableRangeHeaders(representation.sizeBytes))
    }
    throw error
  }
}

async function deleteFile(
  { ports, files, objects }: FileServiceParts,
  req: Request,
  { shareId, fileId }: { shareId: string; fileId: string },
): Promise<void> {
  const grant = await ports.share.authorizeUpload({
    shareId,
    credentials: requestCredentials(req, shareId),
  })
  const objectKey = uuidPattern.test(fileId) ? await files.remove(grant.shareUid, fileId) : null
  if (objectKey === null) throw new AppError('file_not_found')
  // A crash right here leaves an orphan, which the next reconciliation takes.
  await objects.remove([objectKey])
}

/** Strong: an object's bytes never change, and a share never reuses a key. */
function fileEtag({ id, objectKey }: StoredFile): string {
  return `"${id}-${objectKey.slice(0, 16)}"`
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
