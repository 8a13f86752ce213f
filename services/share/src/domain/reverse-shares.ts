import { randomBytes, randomUUID } from 'node:crypto'
import {
  type AdminPort,
  type AuthPort,
  type CreateReverseShareInput,
  type FilePort,
  type Identity,
  type Language,
  reverseShareTokenSchema,
  type Settings,
  type UpdateReverseShareInput,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import { nameCreators } from './creators.ts'
import { resolveExpiration } from './expiration.ts'
import type { Ownership } from './ownership.ts'
import type { ReverseShareChanges, ReverseShareStore } from './ports.ts'
import { isReservedToken, type ReverseShare } from './reverse-share.ts'
import type { Share } from './share.ts'

export interface ReceivedContent {
  share: Share
  sizeBytes: number
  fileCount: number
  /** `null` for a sender without an account. */
  creatorName: string | null
}

/** A reverse share with what was sent through it. */
export interface ReverseShareContent {
  reverseShare: ReverseShare
  received: readonly ReceivedContent[]
}

/** What the owner of reverse shares does with them. */
export interface ReverseShares {
  /**
   * `link` is the address of the page to send files at. Fails with validation_failed,
   * share_expiration_too_long, reverse_share_too_big, reverse_share_token_taken.
   */
  create(
    input: CreateReverseShareInput,
    maker: { userId: string; language: Language },
  ): Promise<{ token: string; link: string }>
  listOwn(owner: Identity): Promise<ReverseShareContent[]>
  /** To change or delete it. Fails with forbidden, reverse_share_not_found. */
  requireOwn(id: string, accessToken: string | null): Promise<ReverseShare>
  /** Fails with reverse_share_not_found, and as `create`. */
  update(own: ReverseShare, input: UpdateReverseShareInput): Promise<ReverseShareContent>
  /** With everything sent through it. Fails with reverse_share_not_found. */
  delete(own: ReverseShare): Promise<void>
  /** Could a reverse share be made under this token right now? */
  isTokenAvailable(token: string): Promise<boolean>
}

export interface ReverseSharesDeps {
  reverseShares: ReverseShareStore
  files: FilePort
  auth: AuthPort
  admin: AdminPort
  ownership: Ownership
  passwords: Passwords
  clock: () => Date
}

export function createReverseShares(deps: ReverseSharesDeps): ReverseShares {
  const { reverseShares, files, auth, admin, ownership, passwords, clock } = deps

  async function create(
    input: CreateReverseShareInput,
    { userId, language }: { userId: string; language: Language },
  ) {
    const settings = await admin.settings({})
    requireAllowedSize(input.maxShareSize, settings)
    const { password, token = randomBytes(16).toString('base64url') } = input
    const reverseShare: ReverseShare = {
      id: randomUUID(),
      token,
      creatorId: userId,
      createdAt: clock(),
      name: input.name ?? null,
      expiresAt: readExpiry(input.shareExpiration, settings),
      maxSizeBytes: input.maxShareSize,
      remainingUses: input.maxUseCount,
      passwordHash: password === undefined ? null : await passwords.hash(password),
      sendsNotice: input.sendEmailNotification,
      asksSenderName: input.askSenderName,
      isPublic: input.publicAccess,
      isSimplified: input.simplified,
      language,
    }
    if (isReservedToken(token) || !(await reverseShares.insert(reverseShare))) {
      throw new AppError('reverse_share_token_taken')
    }
    return { token, link: `${settings['general.appUrl'].replace(/\/+$/, '')}/upload/${token}` }
  }

  function readExpiry(text: string, settings: Settings): Date {
    const rule = { now: clock(), maxHours: settings['share.maxExpiration'] }
    const expiresAt = resolveExpiration(text, { ...rule, field: 'shareExpiration' })
    if (expiresAt === null) throw new RangeError('a reverse share must end')
    return expiresAt
  }

  async function describe(own: readonly ReverseShare[]): Promise<ReverseShareContent[]> {
    if (own.length === 0) return []
    const shares = await reverseShares.listShares(
      own.map(({ id }) => id),
      clock(),
    )
    const [creatorOf, sizes] = await Promise.all([
      nameCreators(auth, shares),
      shares.length === 0 ? [] : files.measureShares({ shareUids: shares.map(({ uid }) => uid) }),
    ])
    const sizeOf = new Map(sizes.map((size) => [size.shareUid, size]))
    const received = shares.map((share) => {
      const { sizeBytes = 0, fileCount = 0 } = sizeOf.get(share.uid) ?? {}
      return { share, sizeBytes, fileCount, creatorName: creatorOf(share) }
    })
    return own.map((reverseShare) => ({
      reverseShare,
      received: received.filter(({ share }) => share.reverseShareId === reverseShare.id),
    }))
  }

  async function requireOwn(id: string, accessToken: string | null) {
    const { userId } = await ownership.requireUser(accessToken)
    const found = await reverseShares.findById(id)
    if (found === null) throw new AppError('reverse_share_not_found')
    if (found.creatorId !== userId) throw new AppError('forbidden')
    return found
  }

  async function readChanges(input: UpdateReverseShareInput): Promise<ReverseShareChanges> {
    const { shareExpiration, maxShareSize, remainingUses, name, password } = input
    const { sendEmailNotification, askSenderName, publicAccess, simplified } = input
    const settings = await admin.settings({})
    requireAllowedSize(maxShareSize ?? 0, settings)
    return {
      ...(shareExpiration !== undefined && { expiresAt: readExpiry(shareExpiration, settings) }),
      ...(maxShareSize !== undefined && { maxSizeBytes: maxShareSize }),
      ...(remainingUses !== undefined && { remainingUses }),
      ...(name !== undefined && { name: name || null }),
      ...(password !== undefined && {
        passwordHash: password === null ? null : await passwords.hash(password),
      }),
      ...(sendEmailNotification !== undefined && { sendsNotice: sendEmailNotification }),
      ...(askSenderName !== undefined && { asksSenderName: askSenderName }),
      ...(publicAccess !== undefined && { isPublic: publicAccess }),
      ...(simplified !== undefined && { isSimplified: simplified }),
    }
  }

  return {
    create,

    requireOwn,

    listOwn: async ({ userId }) => describe(await reverseShares.listByCreator(userId, clock())),

    update: async ({ id }, input) => {
      const updated = await reverseShares.update(id, await readChanges(input))
      const [content] = updated === null ? [] : await describe([updated])
      if (content === undefined) throw new AppError('reverse_share_not_found')
      return content
    },

    delete: async ({ id }) => {
      const isRemoved = await reverseShares.remove(id)
      if (!isRemoved) throw new AppError('reverse_share_not_found')
    },

    isTokenAvailable: async (token) =>
      reverseShareTokenSchema.safeParse(token).success &&
      !isReservedToken(token) &&
      (await reverseShares.findByToken(token)) === null,
  }
}

function requireAllowedSize(maxShareSize: number, settings: Settings): void {
  const allowed = settings['share.maxSize']
  if (allowed > 0 && maxShareSize > allowed) throw new AppError('reverse_share_too_big')
}
