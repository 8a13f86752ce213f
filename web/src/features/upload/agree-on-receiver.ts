import type { ReverseShareView } from '@floe/contracts'
import { parseKey, receiverOfLink } from '@floe/encryption'
import type { DraftEncryption } from './draft-actions.ts'

/** Why nothing may be sent through a link. */
export type Disagreement = 'incomplete' | 'swapped'

/**
 * To whom files are encrypted that are sent through a link. The link has the key of its receiver
 * from who made it; a server that names another one, or none, wants to read them itself.
 */
export function agreeOnReceiver(
  fragment: string,
  { publicKey: told }: Pick<ReverseShareView, 'publicKey'>,
): { encryption: DraftEncryption | null } | { disagreement: Disagreement } {
  const linked = receiverOfLink(new URL(fragment, window.location.href).href)
  if (linked === null && told === undefined) return { encryption: null }
  if (linked === null || parseKey(linked) === null) return { disagreement: 'incomplete' }
  if (linked !== told) return { disagreement: 'swapped' }
  return { encryption: { publicKey: linked } }
}
