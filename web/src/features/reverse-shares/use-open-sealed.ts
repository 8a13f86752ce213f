import type { ReceivedShare, Receiver } from '@floe/contracts'
import { linkWithKey, openShareKey, type ReceiverSecret } from '@floe/encryption'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../shared/notify.ts'
import { paths } from '../../shared/paths.ts'
import { useSecrets } from './use-secrets.ts'

/** Leads to a share that was encrypted for its receiver, with its key in the address. */
export function useEnterSealed() {
  const { t } = useTranslation()
  return async ({ id, sealedKey, hasPassword }: ReceivedShare, secret: ReceiverSecret) => {
    const shareKey = sealedKey === undefined ? null : await openShareKey(secret, sealedKey)
    if (shareKey === null) {
      notifyError(t('reverseShares.sealed.damaged'))
      return
    }
    const link = new URL(paths.share(id), window.location.origin)
    // Loaded anew: the worker that decrypts serves documents that began as the page of a share.
    window.location.assign(linkWithKey(link.href, shareKey, { hasPassword }))
  }
}

/** Leads there at once where the secret was unlocked before; otherwise it is asked for. */
export function useOpenSealed(ask: (receiver: Receiver, share: ReceivedShare) => void) {
  const secrets = useSecrets()
  const enter = useEnterSealed()
  return (share: ReceivedShare, receiver: Receiver) => {
    const secret = secrets.find(receiver.publicKey)
    if (secret === null) ask(receiver, share)
    else void enter(share, secret)
  }
}
