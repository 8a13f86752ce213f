import { Alert, Button } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import type { Receiver } from '@floe/contracts'
import type { ReceiverSecret } from '@floe/encryption'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { NoPasskeyKeyError } from '../../../shared/passkeys/passkey-key.ts'
import { hasPasskeysHere, isCancelled } from '../../../shared/passkeys/passkeys-here.ts'
import { useSession } from '../../../shared/session/session.ts'
import { passkeyLocksOf, unlockByPasskey } from '../receiver.ts'
import { useSecrets } from '../use-secrets.ts'

interface PasskeyButtonProps {
  receiver: Receiver
  onUnlocked?: ((secret: ReceiverSecret) => void) | undefined
}

/** Unlocks without the passphrase, where a passkey was chosen for that and works here. */
export function PasskeyButton({ receiver, onUnlocked }: PasskeyButtonProps) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const errorMessage = useErrorMessage()
  const secrets = useSecrets()
  const unlock = useMutation({
    mutationFn: () => unlockByPasskey(receiver),
    onSuccess(secret) {
      if (secret === null) return
      secrets.keep(receiver.publicKey, secret)
      onUnlocked?.(secret)
    },
  })
  if (passkeyLocksOf(receiver).length === 0 || !hasPasskeysHere(settings)) return null

  function failure(): string | null {
    const { data, error } = unlock
    if (data === null) return t('errors.passkeyRefused')
    if (error === null || isCancelled(error)) return null
    if (error instanceof NoPasskeyKeyError) return t('reverseShares.sealed.noPasskeyKey')
    return errorMessage(error)
  }

  const why = failure()
  return (
    <>
      <Button variant="default" loading={unlock.isPending} onClick={() => unlock.mutate()}>
        {t('auth.passkey.use')}
      </Button>
      {why !== null && (
        <Alert color="red" role="alert">
          {why}
        </Alert>
      )}
    </>
  )
}
