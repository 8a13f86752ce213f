import type { OwnReverseShare, Receiver } from '@floe/contracts'
import type { NewReverseShare } from './api/create-reverse-share.ts'
import type { ReverseShareUpdate } from './api/update-reverse-share.ts'
import { fromBytes, type SizeChoice, toBytes } from './size-choice.ts'

/** What the dialogs hold. */
export interface ReverseShareValues {
  size: SizeChoice
  uses: number | ''
  sendEmailNotification: boolean
  name: string
  password: string
  removePassword: boolean
  /** The end of the link; made up when empty. */
  token: string
  askSenderName: boolean
  publicAccess: boolean
  simplified: boolean
}

const PROPOSED_BYTES = 1_000_000_000

/** `maxBytes` 0 means that shares may be of any size. */
export function newValues({ maxBytes }: { maxBytes: number }): ReverseShareValues {
  return {
    size: fromBytes(maxBytes > 0 ? Math.min(PROPOSED_BYTES, maxBytes) : PROPOSED_BYTES),
    uses: 1,
    sendEmailNotification: false,
    name: '',
    password: '',
    removePassword: false,
    token: '',
    askSenderName: false,
    publicAccess: true,
    simplified: false,
  }
}

export function valuesOf(reverseShare: OwnReverseShare): ReverseShareValues {
  return {
    size: fromBytes(Number(reverseShare.maxShareSize)),
    uses: reverseShare.remainingUses,
    sendEmailNotification: reverseShare.sendEmailNotification,
    name: reverseShare.name ?? '',
    password: '',
    removePassword: false,
    token: reverseShare.token,
    askSenderName: reverseShare.askSenderName,
    publicAccess: reverseShare.publicAccess,
    simplified: reverseShare.simplified,
  }
}

/** Until when the last of what a reverse share brought is kept, once it has expired. */
export function keptUntilOf({ shares }: OwnReverseShare): string | undefined {
  return shares
    .flatMap(({ keptUntil }) => keptUntil ?? [])
    .sort()
    .at(-1)
}

/** To whom what is sent is encrypted, as was chosen last; `null` where it never was. */
export function latestReceiver(reverseShares: readonly OwnReverseShare[]): Receiver | null {
  const latestFirst = reverseShares.toSorted((one, other) =>
    other.createdAt.localeCompare(one.createdAt),
  )
  return latestFirst.find(({ receiver }) => receiver !== undefined)?.receiver ?? null
}

export function toNewReverseShare(
  values: ReverseShareValues,
  shareExpiration: string,
): NewReverseShare {
  const { name, password, token } = values
  return {
    shareExpiration,
    maxShareSize: String(toBytes(values.size) ?? 0),
    maxUseCount: values.uses || 0,
    sendEmailNotification: values.sendEmailNotification,
    askSenderName: values.askSenderName,
    publicAccess: values.publicAccess,
    simplified: values.simplified,
    ...(name !== '' && { name }),
    ...(password !== '' && { password }),
    ...(token !== '' && { token }),
  }
}

const switches = ['sendEmailNotification', 'askSenderName', 'publicAccess', 'simplified'] as const

/** Only what differs, or `null` when nothing does. `shareExpiration` is `null` to leave it. */
export function toUpdate(
  reverseShare: OwnReverseShare,
  values: ReverseShareValues,
  shareExpiration: string | null,
): ReverseShareUpdate | null {
  const before = valuesOf(reverseShare)
  const bytes = toBytes(values.size)
  const turned = switches.filter((name) => values[name] !== before[name])
  const update: ReverseShareUpdate = {
    ...(shareExpiration !== null && { shareExpiration }),
    // Compared as shown: a size that the fields round stays as exact as it was.
    ...(bytes !== null && bytes !== toBytes(before.size) && { maxShareSize: String(bytes) }),
    ...(values.uses !== before.uses && { remainingUses: values.uses || 0 }),
    ...(values.name !== before.name && { name: values.name || null }),
    ...(values.removePassword
      ? { password: null }
      : values.password !== '' && { password: values.password }),
    ...Object.fromEntries(turned.map((name) => [name, values[name]])),
  }
  return Object.keys(update).length > 0 ? update : null
}
