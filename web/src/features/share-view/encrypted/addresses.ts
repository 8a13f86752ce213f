import { pathParts } from '@floe/contracts'
import { paths } from '../../../shared/paths.ts'
import { anyFileIn, type Folder } from '../file-tree.ts'
import type { ShareAddresses } from '../share-addresses.ts'

/** The worker sees what is below the pages of shares, and the pages themselves. */
export const WORKER_SCOPE = paths.share('')

const ARCHIVE = 'zip'
const AROUND = 'around'
const DEPTH = 'depth'
const FILES = 'files'

/** The one that a file lies in so many folders deep. */
export interface FolderAround {
  fileId: string
  depth: number
}

/** Which files of a share an archive holds; all of them where neither is given. */
export interface ArchivePart {
  folder: FolderAround | null
  fileIds: ReadonlySet<string> | null
}

/** What an address asks for; `file` by the id that the server has for it. */
export type Wanted = { shareId: string } & (
  { kind: 'file'; fileId: string; isShown: boolean } | { kind: 'archive'; part: ArchivePart }
)

/**
 * Addresses that the worker responds to. They name nothing that is encrypted: what somebody saves by
 * a click with Alt, Chromium asks the server for instead.
 */
export const encryptedAddresses: ShareAddresses = {
  file: (shareId, fileId) => `${filesOf(shareId)}/${encodeURIComponent(fileId)}`,
  archive: (shareId, folder) => `${filesOf(shareId)}/${ARCHIVE}${folder ? queryOf(folder) : ''}`,
  // Chromium asks no worker for what a link says to save.
  isSaidByLinks: false,
  selection: (_http, shareId, fileIds) =>
    Promise.resolve(`${filesOf(shareId)}/${ARCHIVE}?${FILES}=${fileIds.join(',')}`),
}

function filesOf(shareId: string): string {
  return `${paths.share(shareId)}/files`
}

function queryOf(folder: Folder): string {
  const fileId = encodeURIComponent(anyFileIn(folder)?.id ?? '')
  return `?${AROUND}=${fileId}&${DEPTH}=${pathParts(folder.path).length}`
}

/** `null` where an address is none of these. */
export function parseAddress({ pathname, searchParams }: URL): Wanted | null {
  const match = /^([^/]+)\/files\/([^/]+)$/.exec(pathname.slice(WORKER_SCOPE.length))
  if (!pathname.startsWith(WORKER_SCOPE) || match === null) return null
  const [shareId = '', name = ''] = match.slice(1).map(decodeURIComponent)
  if (name !== ARCHIVE) {
    return {
      kind: 'file',
      shareId,
      fileId: name,
      isShown: searchParams.get('download') === 'false',
    }
  }
  const [fileIds, around] = [searchParams.get(FILES), searchParams.get(AROUND)]
  return {
    kind: 'archive',
    shareId,
    part: {
      folder: around === null ? null : { fileId: around, depth: Number(searchParams.get(DEPTH)) },
      fileIds: fileIds === null ? null : new Set(fileIds.split(',')),
    },
  }
}
