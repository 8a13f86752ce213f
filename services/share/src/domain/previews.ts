import type {
  AuthPort,
  Downloadable,
  FilePort,
  ReadGrant,
  RequestCredentials,
  ShareContents,
  SharePreview,
} from '@floe/contracts'
import { readComing } from './coming-files.ts'
import { nameSender } from './creators.ts'
import type { ShareStore } from './ports.ts'
import { grantRead } from './read-grant.ts'
import type { Share } from './share.ts'
import type { Visits } from './visits.ts'

/** A share as its page begins with: the first files, and what one request downloads. */
export interface Previews {
  /** What `sharePort.previewShare` promises. */
  previewShare(id: string): Promise<SharePreview>
  /** What `sharePort.readShare` promises. */
  readFirstFiles(
    id: string,
    reader: { credentials: RequestCredentials; mostFiles: number | null },
  ): Promise<ShareContents>
}

export interface PreviewsDeps {
  shares: Pick<ShareStore, 'listAnnounced'>
  files: FilePort
  auth: AuthPort
  visits: Visits
}

export function createPreviews(deps: PreviewsDeps): Previews {
  const { files, auth, visits } = deps

  async function previewOf(share: Share): Promise<SharePreview> {
    const grant = grantRead(share)
    const [{ fileCount, sizeBytes }, senderName] = await Promise.all([
      files.measureFiles({ grant }),
      nameSender(auth, share),
    ])
    const coming = share.state === 'uploading' ? await comingInto(share, grant) : null
    const download = coming === null ? await allOf(grant, fileCount) : null
    const { name, expiresAt, isEncrypted } = share
    const ends = expiresAt?.toISOString() ?? null
    const about = { name, senderName, expiresAt: ends, isEncrypted }
    return { ...about, fileCount, sizeBytes, coming, download }
  }

  async function comingInto(share: Share, grant: ReadGrant): Promise<SharePreview['coming']> {
    const contents = { share, files: await files.listFiles({ grant }) }
    const { fileCount = 0, sizeBytes = 0 } =
      (await readComing(deps, [contents])).get(share.uid) ?? {}
    return { fileCount, sizeBytes }
  }

  async function allOf(grant: ReadGrant, fileCount: number): Promise<Downloadable | null> {
    return fileCount === 1 ? soleFile(grant) : archiveOf(grant)
  }

  async function soleFile(grant: ReadGrant): Promise<Downloadable | null> {
    const [file] = await files.listFiles({ grant, most: 1 })
    return file?.id ?? null
  }

  async function archiveOf(grant: ReadGrant): Promise<Downloadable | null> {
    const { isReady } = await files.archiveStatus({ grant })
    return isReady ? 'zip' : null
  }

  return {
    previewShare: async (id) => previewOf(await visits.requireOpen(id)),

    readFirstFiles: async (id, { credentials, mostFiles }) => {
      const share = await visits.requireVisit(id, credentials)
      const grant = grantRead(share)
      const [preview, listed] = await Promise.all([
        previewOf(share),
        files.listFiles({ grant, ...(mostFiles !== null && { most: mostFiles }) }),
      ])
      return {
        ...preview,
        description: share.description,
        files: listed.map(({ id, name, sizeBytes, scan }) => ({
          ...{ id, name, sizeBytes },
          ...(scan && { scan }),
        })),
      }
    },
  }
}
