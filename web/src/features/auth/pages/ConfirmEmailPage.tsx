import { Alert, Button, Stack } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { IconCheck, IconLinkOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { paths } from '../../../shared/paths.ts'
import { confirmEmail } from '../api/confirm-email.ts'
import { AuthCard } from '../components/AuthCard.tsx'
import { AuthOutcome } from '../components/AuthOutcome.tsx'

/** Where the link in the message to a new address leads. It waits for a click: scanners open links. */
export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const { token = '' } = useParams()
  const errorMessage = useErrorMessage()
  const confirm = useMutation({ mutationFn: () => confirmEmail(http, { token }) })
  const title = <PageTitle>{t('auth.verify.title')}</PageTitle>
  // Loaded anew: the address of the account that is signed in here may have changed.
  const toAccount = (
    <Button component="a" href={paths.account} fullWidth>
      {t('account.title')}
    </Button>
  )

  if (confirm.isSuccess) {
    return (
      <AuthOutcome
        icon={<IconCheck size={30} stroke={1.6} aria-hidden="true" />}
        title={t('auth.verify.done')}
        text={t('auth.verify.doneHint')}
      >
        {title}
        {toAccount}
      </AuthOutcome>
    )
  }

  if (hasCode(confirm.error, 'invalid_reset_token')) {
    return (
      <AuthOutcome
        icon={<IconLinkOff size={30} stroke={1.6} aria-hidden="true" />}
        title={t('auth.newPassword.over')}
        text={t('auth.newPassword.overHint')}
      >
        {title}
        {toAccount}
      </AuthOutcome>
    )
  }

  return (
    <AuthCard title={t('auth.verify.title')} hint={t('auth.verify.hint')}>
      {title}
      <Stack gap="md">
        {confirm.isError && (
          <Alert color="red" role="alert">
            {errorMessage(confirm.error)}
          </Alert>
        )}
        <Button loading={confirm.isPending} fullWidth onClick={() => confirm.mutate()}>
          {t('auth.verify.submit')}
        </Button>
      </Stack>
    </AuthCard>
  )
}
