import { Button, Stack } from '@mantine/core'
import { IconClockOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { AppCodeForm } from '../components/AppCodeForm.tsx'
import { AuthCard } from '../components/AuthCard.tsx'
import { AuthOutcome } from '../components/AuthOutcome.tsx'
import { BackToSignIn } from '../components/BackToSignIn.tsx'
import { PasskeyStep } from '../components/PasskeyStep.tsx'
import { RecoveryCodeForm } from '../components/RecoveryCodeForm.tsx'
import { useSecondStep } from '../use-second-step.ts'

/** The second step of signing in. */
export function Page() {
  const { t } = useTranslation()
  const { loginToken = '' } = useParams()
  const [isRecovery, setIsRecovery] = useState(false)
  const step = useSecondStep(loginToken)
  const { form, takesCode, hasPasskey } = step

  if (step.isOver) {
    return (
      <AuthOutcome
        icon={<IconClockOff size={30} stroke={1.6} aria-hidden="true" />}
        title={t('auth.totp.over')}
        text={t('auth.totp.overHint')}
      >
        <PageTitle>{t('auth.totp.title')}</PageTitle>
        <BackToSignIn landing={step.landing} />
      </AuthOutcome>
    )
  }

  const hint = takesCode ? 'auth.totp.hint' : 'auth.passkey.hint'
  const otherWay = takesCode ? 'auth.totp.useApp' : 'auth.passkey.use'
  return (
    <AuthCard
      title={t('auth.totp.title')}
      hint={!step.isPending && t(isRecovery ? 'auth.totp.recoveryHint' : hint)}
    >
      <PageTitle>{t('auth.totp.title')}</PageTitle>
      {isRecovery && <RecoveryCodeForm {...form} onSubmit={(code) => step.submitCode(code)} />}
      {!isRecovery && !step.isPending && (
        <Stack gap="md">
          {takesCode && (
            <AppCodeForm
              {...form}
              onSubmit={(code, clear) => step.submitCode(code, { onError: clear })}
            />
          )}
          {hasPasskey && <PasskeyStep passkey={step.passkey} isMain={!takesCode} />}
        </Stack>
      )}
      <Button
        variant="subtle"
        fullWidth
        mt="sm"
        onClick={() => {
          step.reset()
          setIsRecovery(!isRecovery)
        }}
      >
        {t(isRecovery ? otherWay : 'auth.totp.useRecovery')}
      </Button>
    </AuthCard>
  )
}
