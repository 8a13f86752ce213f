import { Button, Stack, Text } from '@mantine/core'
import type { Receiver } from '@floe/contracts'
import type { ReceiverSecret } from '@floe/encryption'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { unlockReceiver } from '../receiver.ts'
import { useSecrets } from '../use-secrets.ts'
import { PasskeyButton } from './PasskeyButton.tsx'

interface UnlockFormProps {
  receiver: Receiver
  /** Why it has to be unlocked. */
  text: string
  onUnlocked?: (secret: ReceiverSecret) => void
}

/** Asks for the passphrase until it is right, or for a passkey. */
export function UnlockForm({ receiver, text, onUnlocked }: UnlockFormProps) {
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  const secrets = useSecrets()
  const [typed, setTyped] = useState('')
  const unlock = useMutation({
    mutationFn: () => unlockReceiver(receiver, typed),
    onSuccess(secret) {
      if (secret === null) return
      secrets.keep(receiver.publicKey, secret)
      onUnlocked?.(secret)
    },
  })
  const wrong = unlock.data === null ? t('reverseShares.sealed.wrong') : null
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        unlock.mutate()
      }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        <PasswordField
          label={t('reverseShares.sealed.passphrase')}
          value={typed}
          error={unlock.error ? errorMessage(unlock.error) : wrong}
          autoComplete="off"
          data-autofocus
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            unlock.reset()
          }}
        />
        <Button type="submit" loading={unlock.isPending} disabled={typed === ''}>
          {t('reverseShares.sealed.unlock')}
        </Button>
        <PasskeyButton receiver={receiver} onUnlocked={onUnlocked} />
      </Stack>
    </form>
  )
}
