import { randomBytes } from 'node:crypto'
import type { OwnReverseShare } from '@floe/contracts'
import { colourPng } from '@floe/testing'
import { type Client } from '../world/http-client.ts'
import { createReverseShare, findOwn, openSender } from '../world/reverse-shares.ts'
import {
  addFile,
  completeShare,
  createShare,
  openShare,
  type ShareOptions,
} from '../world/shares.ts'
import { beginUpload } from '../world/tus.ts'
import { type Role, roles } from './planned-calls.ts'

export const SHARE_PASSWORD = 'open sesame'
const picture = colourPng(64, [200, 30, 30])

export type Clients = Record<Role, Client>

/** Something that calls are about; it is made again once a call has spent it. */
export interface Thing {
  owner: Role
  /** Not when its owner is somebody else by now. */
  isIntact(): Promise<boolean>
}

export interface ShareThing extends Thing {
  id: string
  fileIds: string[]
  isOpen: boolean
}

export interface UploadThing extends Thing {
  uploadId: string
  offset(): number
}

export interface ReverseThing extends Thing {
  id: string
  token: string
}

/** What calls are about, of each kind in the states there are. */
export interface Things {
  reverse: ReverseThing[]
  shares: ShareThing[]
  uploads: UploadThing[]
}

/** Makes again what is spent, with what hangs on it. */
export async function mendThings(
  { reverse, shares, uploads }: Things,
  clients: Clients,
  isSpent: (thing: Thing) => boolean,
): Promise<void> {
  await mend(reverse, reverseKinds(clients), isSpent)
  await mend(shares, shareKinds(clients), isSpent)
  await mend(uploads, uploadKinds(clients, shares), isSpent)
}

type Kind<T> = () => Promise<T>

async function mend<T extends Thing>(
  things: T[],
  kinds: readonly Kind<T>[],
  isSpent: (thing: Thing) => boolean,
): Promise<void> {
  for (const [index, make] of kinds.entries()) {
    const thing = things[index]
    if (thing && (!isSpent(thing) || (await thing.isIntact()))) continue
    things[index] = await make()
  }
}

function reverseKinds(clients: Clients): Kind<ReverseThing>[] {
  const make = async (owner: Role, options: Record<string, unknown>): Promise<ReverseThing> => {
    const client = clients[owner]
    const token = await createReverseShare(client, { maxUseCount: 1_000, ...options })
    const made = await findOwn(client, token)
    const id = made?.id ?? ''
    return {
      owner,
      id,
      token,
      isIntact: async () => {
        if (clients[owner] !== client) return false
        return termsOf(await findOwn(client, token)) === termsOf(made)
      },
    }
  }
  return [
    async () => {
      const thing = await make('user', {})
      clients.sender = openSender(clients.sender, thing.token)
      return thing
    },
    () => make('user', { password: SHARE_PASSWORD, name: 'Locked' }),
    () => make('admin', { publicAccess: false, askSenderName: true }),
  ]
}

/** Without what sending through it changes. */
function termsOf(found: OwnReverseShare | undefined): string {
  return JSON.stringify({ ...found, remainingUses: 0, shares: [] })
}

type ShareState = 'open' | 'completed' | 'reopened'

function shareKinds(clients: Clients): Kind<ShareThing>[] {
  const make = async (
    owner: Role,
    state: ShareState,
    options: ShareOptions = {},
  ): Promise<ShareThing> => {
    const client = clients[owner]
    const id = await createShare(client, options)
    const fileIds = [
      await addFile(client, id, 'picture.png', picture),
      await addFile(client, id, 'a.txt', 'some text'),
    ]
    if (state !== 'open') await completeShare(client, id)
    if (state === 'reopened') await client.send('DELETE', `/api/shares/${id}/complete`)
    if (state !== 'open') {
      for (const role of ['visitor', 'user'] as const)
        await openShare(clients[role], id, options.security?.password)
    }
    const isIntact = async () => {
      if (clients[owner] !== client) return false
      const { text } = await client.send('GET', `/api/shares/${id}/from-owner`)
      return text.includes(`"state":"${state}"`) && fileIds.every((file) => text.includes(file))
    }
    return { owner, id, fileIds, isOpen: state !== 'completed', isIntact }
  }
  return [
    () => make('user', 'completed'),
    () => make('user', 'completed', { security: { password: SHARE_PASSWORD } }),
    () => make('user', 'open'),
    () => make('user', 'reopened'),
    () => make('admin', 'completed'),
    () => make('admin', 'open'),
    () => make('admin', 'reopened'),
    () => make('sender', 'open'),
    () => make('sender', 'completed'),
    () => make('visitor', 'open'),
    () => make('visitor', 'completed'),
  ]
}

function uploadKinds(clients: Clients, shares: readonly ShareThing[]): Kind<UploadThing>[] {
  const make = async (owner: Role): Promise<UploadThing> => {
    const shareId = shares.find((share) => share.owner === owner && share.isOpen)?.id ?? ''
    const client = clients[owner]
    const path = await beginUpload(client, {
      shareId,
      filename: `${randomBytes(4).toString('hex')}.bin`,
      lengthBytes: 1_000_000,
    })
    let offset = 0
    return {
      owner,
      uploadId: path.slice(path.lastIndexOf('/') + 1),
      offset: () => offset,
      isIntact: async () => {
        if (clients[owner] !== client) return false
        const head = await client.send('HEAD', path, { headers: { 'Tus-Resumable': '1.0.0' } })
        offset = Number(head.headers['upload-offset'] ?? 0)
        return head.status === 200 && offset < 1_000_000
      },
    }
  }
  return roles.map((role) => () => make(role))
}
