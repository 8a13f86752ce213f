import type { FileGate, ServedObjects } from '../../antivirus/domain/file-gate.ts'
import { type ArchivePlans, requireArrived } from '../../archive/domain/archive-plans.ts'
import type { FileStore } from '../../files/domain/file-ports.ts'
import type { ThumbnailListing } from '../../thumbnails/domain/thumbnail-ports.ts'
import type { TransferHolds } from '../../transfers/domain/transfer-holds.ts'
import type { TransferMeter } from '../../transfers/domain/transfer-meter.ts'
import type { DownloadRecorder } from '../domain/download-recorder.ts'
import { createArchiveSource } from '@floe/archive'
import {
  type ArchivePart,
  fileRoutes,
  type ReadGrant,
  type SharePort,
  type UploadGrant,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { implement, type ImplementedRoute } from '@floe/http'
import type { ObjectReader, ObjectStore } from '@floe/storage'
import type { TransferMemory } from '@floe/transfer'
import type { Request, Response } from 'express'
import { selectFiles } from '../../archive/domain/archive-parts.ts'
import { listDigests } from '../domain/digest-list.ts'
import { type FileRemovalDependencies, removeFile } from '../../removals/domain/remove-file.ts'
import { sendDownload } from '../http/send-download.ts'
import { requireRead, requireUpload } from '../../request.ts'

/** A transfer of so few bytes is over so soon that its share is not held for it. */
const BRIEF_BYTES = 1024 * 1024

export interface DownloadRoutesDependencies extends FileRemovalDependencies {
  share: Pick<SharePort, 'authorizeRead' | 'authorizeUpload'>
  files: Pick<FileStore, 'find' | 'list' | 'remove'>
  thumbnails: Pick<ThumbnailListing, 'find' | 'objectKeysOfFiles'>
  gate: Pick<FileGate, 'admit' | 'sift'>
  objects: ServedObjects & Pick<ObjectStore, 'remove'>
  plans: Pick<ArchivePlans, 'planFor'>
  transfers: Pick<TransferHolds, 'open'>
  recorder: DownloadRecorder
  memory: TransferMemory
  meter: TransferMeter
}

/**
 * Bytes and digests leave only through these; each takes a grant, and what is read was admitted by
 * the gate.
 */
export function createDownloadRoutes(dependencies: DownloadRoutesDependencies): ImplementedRoute[] {
  const reader = requireRead(dependencies.share)
  return [
    implement(fileRoutes.downloadArchive, reader, ({ req, res, query }, grant) =>
      sendArchive(dependencies, grant, query, { req, res }),
    ),
    implement(fileRoutes.selectFiles, reader, async ({ body }, grant) => {
      // Each file that arrives moves the places of others.
      requireArrived(grant)
      return { selection: selectFiles(await dependencies.files.list(grant), body.files) }
    }),
    implement(fileRoutes.downloadDigests, reader, ({ req, res }, grant) =>
      sendDigests(dependencies, grant, req, res),
    ),
    implement(fileRoutes.downloadFile, reader, ({ req, res, params, query }, grant) =>
      sendFile(dependencies, grant, params.fileId, {
        req,
        res,
        preview: query.download === 'false',
      }),
    ),
    implement(fileRoutes.getThumbnail, reader, ({ req, res, params }, grant) =>
      sendThumbnail(dependencies, grant, params.fileId, { req, res }),
    ),
    implement(
      fileRoutes.deleteFile,
      requireUpload(dependencies.share),
      async ({ res, params }, grant) => {
        await deleteFile(dependencies, grant, params.fileId)
        res.status(200).end()
      },
    ),
  ]
}

async function sendFile(
  dependencies: DownloadRoutesDependencies,
  grant: ReadGrant,
  fileId: string,
  { req, res, preview }: { req: Request; res: Response; preview: boolean },
): Promise<void> {
  const found = uuidPattern.test(fileId) ? await dependencies.files.find(grant, fileId) : null
  if (!found) throw new AppError('file_not_found')
  const file = await dependencies.gate.admit(found)
  await sendDownload({
    req,
    res,
    preview,
    memory: dependencies.memory,
    meter: dependencies.meter,
    representation: {
      filename: file.name.split('/').at(-1) ?? file.name,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256?.toString('hex') ?? null,
      etag: objectEtag(file.id, file.objectKey),
      lastModifiedAt: file.createdAt,
    },
    openSource: (span) => {
      const open = () => dependencies.objects.openReader(file.objectKey, span)
      if (span.end - span.start <= BRIEF_BYTES) return open()
      return dependencies.transfers.open(grant.shareUid, open)
    },
    handOff: (headers) => dependencies.objects.handOff(file.objectKey, headers),
    onBegin: ({ start }) => {
      if (!preview) dependencies.recorder.begun(grant, { fileId: file.id, start })
    },
  })
}

/** Not counted as a download: a visitor who looks at small pictures has taken no file. */
async function sendThumbnail(
  { thumbnails, gate, objects, memory, meter }: DownloadRoutesDependencies,
  grant: ReadGrant,
  fileId: string,
  { req, res }: { req: Request; res: Response },
): Promise<void> {
  const thumbnail = uuidPattern.test(fileId) ? await thumbnails.find(grant, fileId) : null
  if (!thumbnail) throw new AppError('thumbnail_not_found')
  const { objectKey, sizeBytes, madeAt } = await gate.admit(thumbnail)
  await sendDownload({
    req,
    res,
    preview: true,
    memory,
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
  dependencies: DownloadRoutesDependencies,
  grant: ReadGrant,
  part: ArchivePart,
  { req, res }: { req: Request; res: Response },
): Promise<void> {
  const plan = await dependencies.plans.planFor(grant, part)
  const { sizeBytes, etag, lastModifiedAt } = plan
  await sendDownload({
    req,
    res,
    preview: false,
    memory: dependencies.memory,
    meter: dependencies.meter,
    representation: {
      filename: `${plan.folder ?? grant.shareId}.zip`,
      sizeBytes,
      sha256: null,
      etag,
      lastModifiedAt,
    },
    openSource: (span) =>
      dependencies.transfers.open(grant.shareUid, () =>
        Promise.resolve(
          createArchiveSource(plan, {
            openObject: (key, part) => dependencies.objects.openReader(key, part),
            span,
          }),
        ),
      ),
    onBegin: ({ start }) => dependencies.recorder.begun(grant, { fileId: null, start }),
  })
}

/** What it tells changes no number of downloads: it is asked for to check one. */
async function sendDigests(
  dependencies: DownloadRoutesDependencies,
  grant: ReadGrant,
  req: Request,
  res: Response,
): Promise<void> {
  // The same that Download all has.
  const files = await dependencies.gate.sift(await dependencies.files.list(grant))
  const { content, sha256, lastModifiedAt } = listDigests(files, { isComplete: !grant.isUploading })
  await sendDownload({
    req,
    res,
    preview: false,
    memory: dependencies.memory,
    meter: dependencies.meter,
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
  dependencies: DownloadRoutesDependencies,
  grant: UploadGrant,
  fileId: string,
): Promise<void> {
  const isRemoved = uuidPattern.test(fileId) && (await removeFile(dependencies, grant, fileId))
  if (!isRemoved) throw new AppError('file_not_found')
}

/** Strong: an object's bytes never change, and a share never reuses a key. */
function objectEtag(fileId: string, objectKey: string): string {
  return `"${fileId}-${objectKey.slice(0, 16)}"`
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
