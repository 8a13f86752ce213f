import type {
  Downloadable,
  FilePort,
  ReadGrant,
  RequestCredentials,
  ShareContents,
  SharePreview,
} from '@floe/contracts'
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
  files: FilePort
  visits: Visits
}

export function createPreviews({ files, visits }: PreviewsDeps): Previews {
  async function previewOf(share: Share): Promise<SharePreview> {
    const grant = grantRead(share)
    const { fileCount, sizeBytes } = await files.measureFiles({ grant })
    const download = fileCount === 1 ? await soleFile(grant) : await archiveOf(grant)
    const { name, expiresAt } = share
    return { name, expiresAt: expiresAt?.toISOString() ?? null, fileCount, sizeBytes, download }
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
        files: listed.map(({ id, name, sizeBytes }) => ({ id, name, sizeBytes })),
      }
    },
  }
}
