import {
  type AdminPort,
  expirationToWire,
  type FilePort,
  generateShareId,
  type Identity,
  type RequestCredentials,
  type Settings,
  type SharePort,
  sharingRules,
} from '@floe/contracts'
import { isAppError } from '@floe/errors'
import type { DeleteLinks } from './delete-links.ts'
import type { Editing } from './editing.ts'
import { resolveExpiration } from './expiration.ts'
import type { Maker, NewShares } from './new-shares.ts'
import { grantCompletedRead } from './read-grant.ts'
import type { ShareAccess } from './share-access.ts'
import { deleteUrl, shareUrl } from './share-messages.ts'
import type { ShareSizes } from './share-sizes.ts'
import { requireAllowed } from './sharing-terms.ts'
import { grantUpload } from './upload-grant.ts'

const HOUR_MS = 3_600_000
/** Of links that are drawn; with eight characters none is ever drawn twice. */
const MOST_DRAWS = 5

export interface DirectSharesDeps {
  newShares: NewShares
  access: Pick<ShareAccess, 'asMaker' | 'toDelete'>
  editing: Pick<Editing, 'completeShare' | 'deleteShare'>
  files: Pick<FilePort, 'listFiles'>
  sizes: Pick<ShareSizes, 'ofShare'>
  deleteLinks: DeleteLinks
  admin: AdminPort
  clock: () => Date
}

/** Shares that one request makes, fills and completes; `sharePort` states the guarantees. */
export type DirectShares = Pick<
  SharePort,
  'authorizeShare' | 'beginShare' | 'completeShare' | 'abandonShare' | 'deleteByLink'
>

export function createDirectShares(deps: DirectSharesDeps): DirectShares {
  const { newShares, access, editing, files, sizes, deleteLinks, admin, clock } = deps

  /** Never through a reverse share, whatever cookies there are. */
  const authorize = (credentials: RequestCredentials, language: Maker['language'] = null) => {
    const { accessToken, clientAddress } = credentials
    const caller = { accessToken, clientAddress, language }
    const without = { reverseShareToken: null, reverseShareAccess: () => null }
    return newShares.authorize({ ...caller, ...without }, () => Promise.resolve(null))
  }

  async function create(input: Parameters<NewShares['createShare']>[0], maker: Maker) {
    const length = maker.settings['share.shareIdLength']
    for (let draws = 1; ; draws += 1) {
      try {
        const id = input.id === '' ? generateShareId(length) : input.id
        return await newShares.createShare({ ...input, id }, maker)
      } catch (error) {
        const isBadLuck = input.id === '' && isAppError(error, 'share_id_taken')
        if (!isBadLuck || draws === MOST_DRAWS) throw error
      }
    }
  }

  return {
    authorizeShare: async ({ credentials }) => {
      await authorize(credentials)
      return {}
    },

    beginShare: async ({ terms, credentials, language }) => {
      const maker = await authorize(credentials, language)
      const { settings, identity } = maker
      const now = clock()
      // Refused before a byte is taken; it counts from the completion.
      const end = chooseEnd(terms.expiration, { settings, identity, now })
      const rules = sharingRules(settings, identity)
      const hasPassword = terms.security?.password !== undefined
      requireAllowed(rules, { hasPassword, hasEnd: true, recipients: terms.recipients })
      // Longer than any upload takes.
      const { maxExpiration, allowNeverExpires } = rules
      const longest = allowNeverExpires ? 'never' : end
      const expiration = maxExpiration > 0 ? hoursFrom(now, maxExpiration) : longest
      const input = { ...terms, id: terms.id ?? '', expiration, reverseShare: null }
      const { share, ownerToken } = await create(input, maker)
      return { grant: await grantUpload(share, { sizes, identity }), ownerToken }
    },

    completeShare: async ({ shareId, expiration, credentials }) => {
      const { share: found, standing } = await access.asMaker(shareId, credentials)
      const { identity } = standing
      const settings = await admin.settings({})
      const end = chooseEnd(expiration, { settings, identity, now: clock() })
      // Asked again by who did not hear the response before.
      const isDone = found.state === 'completed'
      const { share } = isDone
        ? { share: found }
        : await editing.completeShare({ share: found, maker: identity }, { expiration: end })
      const held = await files.listFiles({ grant: grantCompletedRead(share) })
      return {
        url: shareUrl(settings, share),
        deleteUrl: deleteUrl(settings, share, await deleteLinks.secretOf(share)),
        expiration: expirationToWire(share.expiresAt),
        files: held.map(({ id, name, sizeBytes: size, sha256 }) => ({ id, name, size, sha256 })),
      }
    },

    abandonShare: async ({ shareId, credentials }) => {
      await editing.deleteShare(await access.toDelete(shareId, credentials))
      return {}
    },

    deleteByLink: deleteLinks.deleteByLink,
  }
}

interface EndOptions {
  settings: Settings
  identity: Identity | null
  now: Date
}

/**
 * What was asked for, or what the page would propose. Fails with validation_failed,
 * share_expiration_too_long, share_needs_end.
 */
function chooseEnd(asked: string | undefined, { settings, identity, now }: EndOptions): string {
  const rules = sharingRules(settings, identity)
  if (asked !== undefined) {
    resolveExpiration(asked, { now, rules, field: 'X-Expires' })
    return asked
  }
  const proposed = settings['share.defaultExpiration']
  const { maxExpiration } = rules
  return hoursFrom(now, maxExpiration > 0 ? Math.min(proposed, maxExpiration) : proposed)
}

function hoursFrom(now: Date, hours: number): string {
  return new Date(now.getTime() + hours * HOUR_MS).toISOString()
}
