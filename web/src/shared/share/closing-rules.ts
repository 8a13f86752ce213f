import { type SharingRules, sharingRules } from '@floe/contracts'
import { useSession } from '../session/session.ts'

/** What the options of a share have to hold. */
export type ClosingRules = Pick<SharingRules, 'passwordRequired' | 'recipientsOnly'>

/** `isSent`: it goes through a reverse share, whose owner's rules close it without its sender. */
export function useClosingRules({ isSent }: { isSent: boolean }): ClosingRules {
  const { settings, user } = useSession()
  if (isSent) return { passwordRequired: false, recipientsOnly: false }
  return sharingRules(settings, user)
}
