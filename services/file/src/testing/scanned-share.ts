import type { ReadGrant } from '@floe/contracts'
import { creation, octets, type Replica } from './file-world.ts'
import type { TestShare } from './test-ports.ts'

/** Uploads it in one request. Returns its id and its path. */
export async function addFile(
  replica: Replica,
  share: TestShare,
  name: string,
  body: Buffer,
): Promise<{ id: string; path: string }> {
  const headers = creation(share, { ...octets, 'Upload-Length': String(body.length) }, name)
  const created = await replica.send('POST', '/api/uploads', { headers, body })
  if (created.status !== 201) throw new Error(`creation: ${created.status} ${created.text}`)
  const listed = await replica.files.listFiles({ grant: grantOf(share) })
  const id = listed.find((file) => file.name === name)?.id
  if (id === undefined) throw new Error(`no file ${name}`)
  return { id, path: `/api/shares/${share.id}/files/${id}` }
}

/** Reads the first edition, or the published one. */
export function grantOf({ uid, id, edition, archiveLevel, isUploading }: TestShare): ReadGrant {
  return {
    ...{ shareUid: uid, shareId: id, hasPassword: false, isOwner: false },
    ...{ edition: Math.max(edition, 1), archiveLevel, isUploading },
  } as ReadGrant
}
