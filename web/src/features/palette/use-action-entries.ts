import { maySee, offersReverseShares } from '@floe/contracts'
import { IconInbox, IconKeyboard, IconLogout, IconUpload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/session.ts'
import { useSignOut } from '../../shared/session/use-sign-out.ts'
import { SHORTCUTS_EVENT } from '../../shared/shortcuts.ts'
import type { Entry } from './entry.ts'

/** What this person can do from anywhere. */
export function useActionEntries(): Entry[] {
  const { t } = useTranslation()
  const { user, settings } = useSession()
  const signOut = useSignOut()
  const viewer = { isSignedIn: user !== null, isAdmin: user?.isAdmin ?? false }
  const toEntry = (label: string, icon: Entry['icon'], act: Entry['act']): Entry => {
    return { id: label, group: 'actions', icon, label, isOffered: true, act }
  }
  const upload = toEntry(t('palette.upload'), IconUpload, paths.upload)
  const sheet = () => void window.dispatchEvent(new Event(SHORTCUTS_EVENT))
  return [
    ...(maySee('upload', viewer, settings) ? [upload] : []),
    ...(user && offersReverseShares(settings)
      ? [toEntry(t('palette.receive'), IconInbox, paths.newReverseShare)]
      : []),
    toEntry(t('nav.shortcuts'), IconKeyboard, sheet),
    ...(user ? [toEntry(t('nav.signOut'), IconLogout, () => void signOut())] : []),
  ]
}
