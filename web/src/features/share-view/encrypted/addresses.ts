import { paths } from '../../../shared/paths.ts'
import type { ShareAddresses } from '../share-addresses.ts'

/** The worker sees what is below the pages of shares, and the pages themselves. */
export const WORKER_SCOPE = paths.share('')

const ARCHIVE = 'zip'
const FOLDER = 'folder'
const FILES = 'files'

/** Which files of a share an archive holds; all of them where neither is given. */
export interface ArchivePart {
  folder: string | null
  fileIds: ReadonlySet<string> | null
}

/** What an address asks for; `file` by the id that the server has for it. */
export type Wanted = { shareId: string } & (
  { kind: 'file'; fileId: string; isShown: boolean } | { kind: 'archive'; part: ArchivePart }
)

/** Addresses that the worker responds to: no request for them leaves the browser. */
export const encryptedAddresses: ShareAddresses = {
  file: (shareId, fileId) => `${filesOf(shareId)}/${encodeURIComponent(fileId)}`,
  archive: (shareId, part) =>
    part
      ? `${filesOf(shareId)}/${ARCHIVE}?${FOLDER}=${encodeURIComponent(part.folder)}`
      : `${filesOf(shareId)}/${ARCHIVE}`,
  // Chromium asks no worker for what a link says to save.
  isSaidByLinks: false,
  selection: (_http, shareId, fileIds) =>
    Promise.resolve(`${filesOf(shareId)}/${ARCHIVE}?${FILES}=${fileIds.join(',')}`),
}

function filesOf(shareId: string): string {
  return `${paths.share(shareId)}/files`
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
  const fileIds = searchParams.get(FILES)
  return {
    kind: 'archive',
    shareId,
    part: {
      folder: searchParams.get(FOLDER),
      fileIds: fileIds === null ? null : new Set(fileIds.split(',')),
    },
  }
}
