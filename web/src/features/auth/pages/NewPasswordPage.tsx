import { Alert, Button, Stack } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useForm } from '@mantine/form'
import { IconCheck, IconLinkOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { fetchOwnUser } from '../../../shared/api/fetch-own-user.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { resetPassword } from '../api/reset-password.ts'
import { AuthCard } from '../components/AuthCard.tsx'
import { AuthOutcome } from '../components/AuthOutcome.tsx'
import { useFirstFocus } from '../use-first-focus.ts'
import { useLanding } from '../use-landing.ts'

/** Where the link of a reset message or an invitation leads. */
export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const { token = '' } = useParams()
  const { user } = useSession()
  const { landing, enter } = useLanding()
  const errorMessage = useErrorMessage()
  const rules = useFormRules()
  const firstField = useFirstFocus()
  const form = useForm({ initialValues: { password: '' }, validate: { password: rules.password } })
  const submit = useMutation({
    mutationFn: async ({ password }: typeof form.values) => {
      const isSignedIn = await resetPassword(http, { token, password })
      return isSignedIn ? fetchOwnUser(http) : null
    },
    onSuccess: (newUser) => {
      if (!newUser) return
      // Loaded anew, so that nothing of the person signed in here before stays in memory.
      if (user) window.location.assign(landing)
      else enter(newUser)
    },
  })

  if (submit.data === null) {
    return (
      <AuthOutcome
        icon={<IconCheck size={30} stroke={1.6} aria-hidden="true" />}
        title={t('auth.newPassword.saved')}
        text={t('auth.newPassword.savedHint')}
      >
        <PageTitle>{t('auth.newPassword.title')}</PageTitle>
        {/* Loaded anew: the session of this browser may have ended. */}
        <Button component="a" href={paths.signIn} fullWidth>
          {t('auth.signIn.submit')}
        </Button>
      </AuthOutcome>
    )
  }

  if (hasCode(submit.error, 'invalid_reset_token')) return <LinkIsOver />

  return (
    <AuthCard title={t('auth.newPassword.title')}>
      <PageTitle>{t('auth.newPassword.title')}</PageTitle>
      <form onSubmit={form.onSubmit((values) => submit.mutate(values))} noValidate>
        <Stack gap="md">
          {submit.isError && (
            <Alert color="red" role="alert">
              {errorMessage(submit.error)}
            </Alert>
          )}
          <PasswordField
            label={t('auth.newPassword.field')}
            autoComplete="new-password"
            ref={firstField}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={submit.isPending} fullWidth mt="xs">
            {t('auth.newPassword.submit')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  )
}

function LinkIsOver() {
  const { t } = useTranslation()
  const { settings, user } = useSession()
  return (
    <AuthOutcome
      icon={<IconLinkOff size={30} stroke={1.6} aria-hidden="true" />}
      title={t('auth.newPassword.over')}
      text={t('auth.newPassword.overHint')}
    >
      <PageTitle>{t('auth.newPassword.title')}</PageTitle>
      {settings['smtp.enabled'] && !user && (
        <Button component={PageLink} to={paths.resetPassword} fullWidth>
          {t('auth.newPassword.again')}
        </Button>
      )}
      <Button component={PageLink} to={paths.signIn} variant="default" fullWidth>
        {t('auth.backToSignIn')}
      </Button>
    </AuthOutcome>
  )
}
