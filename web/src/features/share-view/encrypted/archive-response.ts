import {
  ARCHIVE_FORMAT,
  type ArchivedPart,
  type ByteReader,
  createArchiveSource,
  partInFolder,
  partOfChosen,
  planArchive,
} from '@floe/archive'
import { pathParts } from '@floe/contracts'
import type { OpenedFile, ReadStored } from '@floe/encryption'
import { toHex } from '../../../shared/hex.ts'
import type { ArchivePart, FolderAround } from './addresses.ts'
import { respond } from './decrypted-response.ts'
import { readPatiently, type Span, toStream } from './patient-read.ts'
import { createReadStored } from './read-stored.ts'

type Bytes = Uint8Array<ArrayBuffer>

const PIECE_BYTES = 1024 * 1024

interface Archived {
  shareId: string
  /** Of the share; archives of all its files are called so. */
  name: string
  files: readonly OpenedFile[]
  part: ArchivePart
}

/** Laid out as the server would, had it the files: of a known length, and resumed at any byte. */
export async function respondWithArchive(
  request: Request,
  { shareId, name, files: listed, part }: Archived,
): Promise<Response> {
  const { files, folder } = partOf(listed, part)
  if (files.length === 0) return new Response(null, { status: 404 })
  const plan = planArchive(
    files.map((file) => ({
      objectKey: file,
      path: file.name,
      sizeBytes: file.size,
      crc32: Number.parseInt(file.crc32, 16),
      modifiedAt: new Date(file.modified ?? 0),
    })),
  )
  const representation = {
    filename: `${folder ?? name}.zip`,
    sizeBytes: plan.sizeBytes,
    etag: await etagOf(files),
    lastModifiedAt: plan.lastModifiedAt,
    sha256: null,
  }
  // The archive is one download, however many files it has.
  const counted = files.find(({ size }) => size > 0)
  async function* read(span: Span, signal: AbortSignal): AsyncGenerator<Bytes, undefined> {
    const source = createArchiveSource(plan, {
      span,
      openObject: (file, within) => {
        const through = createReadStored(shareId, file === counted)
        return Promise.resolve(openFile(file, { within, through, signal }))
      },
    })
    try {
      for (let at = span.start, count = 0; at < span.end; at += count) {
        const piece = new Uint8Array(Math.min(PIECE_BYTES, span.end - at))
        count = await source.read(piece, at)
        yield piece.subarray(0, count)
      }
    } finally {
      await source.close()
    }
    return undefined
  }
  return respond(request, representation, {
    isShown: false,
    open: (span) => toStream((signal) => read(span, signal)),
  })
}

function partOf(
  files: readonly OpenedFile[],
  { folder, fileIds }: ArchivePart,
): ArchivedPart<OpenedFile> {
  if (folder !== null) return partInFolder(files, pathOf(files, folder))
  if (fileIds === null) return { files, folder: null }
  return partOfChosen(files.filter(({ storedId }) => fileIds.has(storedId)))
}

/** Of nothing where no such file is there. */
function pathOf(files: readonly OpenedFile[], { fileId, depth }: FolderAround): string {
  const file = files.find(({ storedId }) => storedId === fileId)
  return pathParts(file?.name ?? '')
    .slice(0, depth)
    .join('/')
}

/** Equal only for equal bytes. */
async function etagOf(files: readonly OpenedFile[]): Promise<string> {
  const told = files.map(({ name, size, modified, crc32, sha256 }) => [
    ...[name, size, modified, crc32, sha256],
  ])
  const text = new TextEncoder().encode(JSON.stringify([ARCHIVE_FORMAT, told]))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return `"${toHex(digest.subarray(0, 16))}"`
}

interface Reading {
  within: Span
  through: ReadStored
  signal: AbortSignal
}

/** Decrypts on in order; begins anew where another place is asked for. */
function openFile(file: OpenedFile, { within, through, signal }: Reading): ByteReader {
  const { end } = within
  const open = (start: number) =>
    readPatiently((span) => file.read(span, through), { start, end }, signal)
  let at = within.start
  let pieces = open(at)
  let rest = new Uint8Array(0)
  return {
    async read(buffer, position) {
      if (position !== at) {
        await pieces.return(undefined)
        ;[at, pieces, rest] = [position, open(position), new Uint8Array(0)]
      }
      while (rest.length === 0) {
        const { done, value } = await pieces.next()
        if (done) return 0
        rest = value
      }
      const part = rest.subarray(0, buffer.length)
      buffer.set(part)
      rest = rest.subarray(part.length)
      at += part.length
      return part.length
    },
    async close() {
      await pieces.return(undefined)
    },
  }
}
