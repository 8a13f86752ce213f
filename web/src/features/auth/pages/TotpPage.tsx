import { Button } from '@mantine/core'
import { IconClockOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { fetchOwnUser } from '../../../shared/api/fetch-own-user.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { signInTotp } from '../api/sign-in-totp.ts'
import { AppCodeForm } from '../components/AppCodeForm.tsx'
import { AuthCard } from '../components/AuthCard.tsx'
import { AuthOutcome } from '../components/AuthOutcome.tsx'
import { BackToSignIn } from '../components/BackToSignIn.tsx'
import { RecoveryCodeForm } from '../components/RecoveryCodeForm.tsx'
import { useLanding } from '../use-landing.ts'

/** The second step of signing in. */
export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const { loginToken = '' } = useParams()
  const { landing, enter } = useLanding()
  const errorMessage = useErrorMessage()
  const [isRecovery, setIsRecovery] = useState(false)
  const submit = useMutation({
    mutationFn: async (totp: string) => {
      await signInTotp(http, { totp, loginToken })
      return fetchOwnUser(http)
    },
    onSuccess: enter,
  })

  // The token of the first step is spent: by time, by use, or by too many wrong codes.
  if (hasCode(submit.error, 'unauthorized', 'token_expired', 'totp_not_enabled')) {
    return (
      <AuthOutcome
        icon={<IconClockOff size={30} stroke={1.6} aria-hidden="true" />}
        title={t('auth.totp.over')}
        text={t('auth.totp.overHint')}
      >
        <PageTitle>{t('auth.totp.title')}</PageTitle>
        <BackToSignIn landing={landing} />
      </AuthOutcome>
    )
  }

  const form = {
    error: submit.error ? errorMessage(submit.error) : null,
    isBusy: submit.isPending || submit.isSuccess,
    onChange: () => {
      if (submit.isError) submit.reset()
    },
  }
  return (
    <AuthCard
      title={t('auth.totp.title')}
      hint={t(isRecovery ? 'auth.totp.recoveryHint' : 'auth.totp.hint')}
    >
      <PageTitle>{t('auth.totp.title')}</PageTitle>
      {isRecovery ? (
        <RecoveryCodeForm {...form} onSubmit={(code) => submit.mutate(code)} />
      ) : (
        <AppCodeForm
          {...form}
          onSubmit={(code, clear) => submit.mutate(code, { onError: clear })}
        />
      )}
      <Button
        variant="subtle"
        fullWidth
        mt="sm"
        onClick={() => {
          submit.reset()
          setIsRecovery(!isRecovery)
        }}
      >
        {t(isRecovery ? 'auth.totp.useApp' : 'auth.totp.useRecovery')}
      </Button>
    </AuthCard>
  )
}
