import { fileRoutes, type ReadGrant, type UploadGrant } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { implement, type ImplementedRoute } from '@floe/http'
import type { ObjectReader } from '@floe/storage'
import type { Request, Response } from 'express'
import { createArchiveSource } from '../../archive/format/index.ts'
import type { FileServiceParts } from '../../parts.ts'
import { listDigests } from '../domain/digest-list.ts'
import { removeFile } from '../../removals/domain/remove-file.ts'
import { sendDownload } from '../http/send-download.ts'
import { requireRead, requireUpload } from '../../request.ts'

/** Of one object: over before anybody could miss it, so its share is not held for it. */
const BRIEF_BYTES = 1024 * 1024

/** Bytes and digests leave only through these four, and each takes a grant. */
export function createDownloadRoutes(parts: FileServiceParts): ImplementedRoute[] {
  const reader = requireRead(parts.ports.share)
  return [
    implement(fileRoutes.downloadArchive, reader, ({ req, res }, grant) =>
      sendArchive(parts, grant, req, res),
    ),
    implement(fileRoutes.downloadDigests, reader, ({ req, res }, grant) =>
      sendDigests(parts, grant, req, res),
    ),
    implement(fileRoutes.downloadFile, reader, ({ req, res, params, query }, grant) =>
      sendFile(parts, grant, params.fileId, { req, res, preview: query.download === 'false' }),
    ),
    implement(fileRoutes.getThumbnail, reader, ({ req, res, params }, grant) =>
      sendThumbnail(parts, grant, params.fileId, { req, res }),
    ),
    implement(
      fileRoutes.deleteFile,
      requireUpload(parts.ports.share),
      async ({ res, params }, grant) => {
        await deleteFile(parts, grant, params.fileId)
        res.status(200).end()
      },
    ),
  ]
}

async function sendFile(
  parts: FileServiceParts,
  grant: ReadGrant,
  fileId: string,
  { req, res, preview }: { req: Request; res: Response; preview: boolean },
): Promise<void> {
  const file = uuidPattern.test(fileId) ? await parts.files.find(grant, fileId) : null
  if (!file) throw new AppError('file_not_found')
  const { publicAddress } = parts.objects
  await sendDownload({
    req,
    res,
    preview,
    budget: parts.budget,
    meter: parts.meter,
    representation: {
      filename: file.name.split('/').at(-1) ?? file.name,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256?.toString('hex') ?? null,
      etag: objectEtag(file.id, file.objectKey),
      lastModifiedAt: file.createdAt,
    },
    openSource: (span) => {
      const open = () => parts.objects.openReader(file.objectKey, span)
      if (span.end - span.start <= BRIEF_BYTES) return open()
      return parts.transfers.open(grant.shareUid, open)
    },
    publicAddress: publicAddress && ((headers) => publicAddress(file.objectKey, headers)),
    onBegin: ({ start }) => {
      if (!preview) parts.downloads.begun(grant, { fileId: file.id, start })
    },
  })
}

/** Not a download: whoever looks at the list of a share's pictures has taken none of them. */
async function sendThumbnail(
  { thumbnails, objects, budget, meter }: FileServiceParts,
  grant: ReadGrant,
  fileId: string,
  { req, res }: { req: Request; res: Response },
): Promise<void> {
  const thumbnail = uuidPattern.test(fileId) ? await thumbnails.find(grant, fileId) : null
  if (!thumbnail) throw new AppError('thumbnail_not_found')
  const { objectKey, sizeBytes, madeAt } = thumbnail
  await sendDownload({
    req,
    res,
    preview: true,
    budget,
    meter,
    representation: {
      filename: 'thumbnail.webp',
      sizeBytes,
      sha256: null,
      etag: objectEtag(fileId, objectKey),
      lastModifiedAt: madeAt,
    },
    openSource: (span) => objects.openReader(objectKey, span),
  })
}

async function sendArchive(
  parts: FileServiceParts,
  grant: ReadGrant,
  req: Request,
  res: Response,
): Promise<void> {
  const plan = await parts.plans.planFor(grant)
  const { sizeBytes, etag, lastModifiedAt } = plan
  await sendDownload({
    req,
    res,
    preview: false,
    budget: parts.budget,
    meter: parts.meter,
    representation: {
      filename: `${grant.shareId}.zip`,
      sizeBytes,
      sha256: null,
      etag,
      lastModifiedAt,
    },
    openSource: (span) =>
      parts.transfers.open(grant.shareUid, () =>
        Promise.resolve(
          createArchiveSource(plan, {
            openObject: (key, part) => parts.objects.openReader(key, part),
            span,
          }),
        ),
      ),
    onBegin: ({ start }) => parts.downloads.begun(grant, { fileId: null, start }),
  })
}

/** What it tells changes no number of downloads: it is asked for to check one. */
async function sendDigests(
  parts: FileServiceParts,
  grant: ReadGrant,
  req: Request,
  res: Response,
): Promise<void> {
  const { content, sha256, lastModifiedAt } = listDigests(await parts.files.list(grant))
  await sendDownload({
    req,
    res,
    preview: false,
    budget: parts.budget,
    meter: parts.meter,
    representation: {
      filename: 'SHA256SUMS',
      contentType: 'text/plain; charset=utf-8',
      sizeBytes: content.length,
      sha256,
      etag: `"${sha256.slice(0, 32)}"`,
      lastModifiedAt,
    },
    openSource: () => Promise.resolve(readerOf(content)),
  })
}

function readerOf(content: Buffer): ObjectReader {
  return {
    read: async (buffer, position) => content.copy(buffer, 0, position),
    close: () => Promise.resolve(),
  }
}

async function deleteFile(
  parts: FileServiceParts,
  grant: UploadGrant,
  fileId: string,
): Promise<void> {
  const isRemoved = uuidPattern.test(fileId) && (await removeFile(parts, grant, fileId))
  if (!isRemoved) throw new AppError('file_not_found')
}

/** Strong: an object's bytes never change, and a share never reuses a key. */
function objectEtag(fileId: string, objectKey: string): string {
  return `"${fileId}-${objectKey.slice(0, 16)}"`
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
