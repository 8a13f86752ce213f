import {
  type AdminPort,
  type CreateReverseShareInput,
  type Identity,
  mustVerifyEmail,
  reverseShareTokenSchema,
  type UpdateReverseShareInput,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Ownership } from './ownership.ts'
import {
  type ReceivedSharesDeps,
  readReceived,
  type ReverseShareContent,
} from './received-shares.ts'
import { keptAt } from './retention.ts'
import { isReservedToken } from './reverse-share.ts'
import {
  createReverseShareTerms,
  type OwnedReverseShare,
  type ReverseShareMaker,
  type ReverseShareTermsDeps,
} from './reverse-share-terms.ts'

/** The owner's side of reverse shares. */
export interface ReverseShares {
  /** Allows to create one. Fails with forbidden, email_not_verified. */
  requireCreator(accessToken: string | null): Promise<Identity>
  /**
   * `link` is the address of the page to send files at. Fails with validation_failed,
   * share_expiration_too_long, reverse_share_too_big, reverse_share_token_taken,
   * reverse_shares_disabled, encryption_disabled, encryption_required.
   */
  create(
    input: CreateReverseShareInput,
    maker: ReverseShareMaker,
  ): Promise<{ token: string; link: string }>
  listOwn(owner: Identity): Promise<ReverseShareContent[]>
  /** Allows its owner to change or delete it. Fails with forbidden, reverse_share_not_found. */
  requireOwn(id: string, accessToken: string | null): Promise<OwnedReverseShare>
  /** Fails with reverse_share_not_found, and as `create`. */
  update(own: OwnedReverseShare, input: UpdateReverseShareInput): Promise<ReverseShareContent>
  /** Deletes everything sent through it too. Fails with reverse_share_not_found. */
  delete(own: OwnedReverseShare): Promise<void>
  /** Could a reverse share be made under this token right now? */
  isTokenAvailable(token: string): Promise<boolean>
}

export interface ReverseSharesDeps extends ReceivedSharesDeps, ReverseShareTermsDeps {
  ownership: Ownership
}

export function createReverseShares(deps: ReverseSharesDeps): ReverseShares {
  const { reverseShares, admin, ownership, clock } = deps
  const terms = createReverseShareTerms(deps)

  return {
    requireCreator: async (accessToken) => {
      const identity = await ownership.requireUser(accessToken)
      if (mustVerifyEmail(identity, await admin.settings({}))) {
        throw new AppError('email_not_verified')
      }
      return identity
    },

    create: async (input, maker) => {
      const reverseShare = await terms.ofNew(input, maker)
      const { token } = reverseShare
      if (isReservedToken(token) || !(await reverseShares.insert(reverseShare))) {
        throw new AppError('reverse_share_token_taken')
      }
      return { token, link: await uploadLink(admin, token) }
    },

    requireOwn: async (id, accessToken) => {
      const owner = await ownership.requireUser(accessToken)
      const found = await reverseShares.findById(id)
      if (found === null) throw new AppError('reverse_share_not_found')
      if (found.creatorId !== owner.userId) throw new AppError('forbidden')
      return { reverseShare: found, owner }
    },

    listOwn: async ({ userId }) => {
      const kept = keptAt(await admin.settings({}), clock())
      return readReceived(deps, await reverseShares.listByCreator(userId, kept))
    },

    update: async (own, input) => {
      const { id } = own.reverseShare
      const updated = await reverseShares.update(id, await terms.ofChanged(input, own))
      const [content] = updated === null ? [] : await readReceived(deps, [updated])
      if (content === undefined) throw new AppError('reverse_share_not_found')
      return content
    },

    delete: async ({ reverseShare: { id } }) => {
      const isRemoved = await reverseShares.remove(id)
      if (!isRemoved) throw new AppError('reverse_share_not_found')
    },

    isTokenAvailable: async (token) =>
      reverseShareTokenSchema.safeParse(token).success &&
      !isReservedToken(token) &&
      (await reverseShares.findByToken(token)) === null,
  }
}

async function uploadLink(admin: AdminPort, token: string): Promise<string> {
  const { 'general.appUrl': appUrl } = await admin.settings({})
  return `${appUrl.replace(/\/+$/, '')}/upload/${token}`
}
