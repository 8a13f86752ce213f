import { Alert, Text } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import type { usePasskeySignIn } from '../use-passkey-sign-in.ts'
import { PasskeyButton } from './PasskeyButton.tsx'

interface PasskeyStepProps {
  passkey: ReturnType<typeof usePasskeySignIn>
  /** There is no other way on the page. */
  isMain: boolean
}

/** The second step by a passkey, where this browser can. */
export function PasskeyStep({ passkey, isMain }: PasskeyStepProps) {
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  if (!passkey.isOffered) return <Text size="sm">{t('account.passkeys.elsewhere')}</Text>
  return (
    <>
      {passkey.error && (
        <Alert color="red" role="alert" mb="md">
          {errorMessage(passkey.error)}
        </Alert>
      )}
      <PasskeyButton {...passkey} label={t('auth.passkey.use')} isMain={isMain} />
    </>
  )
}
