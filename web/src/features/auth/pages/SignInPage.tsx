import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { fetchOwnUser } from '../../../shared/api/fetch-own-user.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { signIn, toSignInInput } from '../api/sign-in.ts'
import { AuthCard } from '../components/AuthCard.tsx'
import { PasskeyButton } from '../components/PasskeyButton.tsx'
import { SocialSignIn } from '../components/SocialSignIn.tsx'
import { useFirstFocus } from '../use-first-focus.ts'
import { useLanding } from '../use-landing.ts'
import { usePasskeySignIn } from '../use-passkey-sign-in.ts'

export function Page() {
  const { t } = useTranslation()
  const { settings } = useSession()
  const { landing } = useLanding()
  const isByProviders = settings['oauth.disablePassword']
  return (
    <AuthCard
      title={t('auth.signIn.title')}
      hint={
        settings['share.allowRegistration'] &&
        !isByProviders && (
          <>
            {t('auth.signIn.noAccount')}{' '}
            <PageLink to={paths.signUp}>{t('auth.signIn.toSignUp')}</PageLink>
          </>
        )
      }
    >
      <PageTitle>{t('auth.signIn.title')}</PageTitle>
      {!isByProviders && <PasswordForm />}
      <SocialSignIn landing={landing} isOnly={isByProviders} />
    </AuthCard>
  )
}

function PasswordForm() {
  const { t } = useTranslation()
  const http = useHttp()
  const { settings } = useSession()
  const navigate = useNavigate()
  const { landing, enter } = useLanding()
  const errorMessage = useErrorMessage()
  const rules = useFormRules()
  const firstField = useFirstFocus()
  const passkey = usePasskeySignIn()
  const form = useForm({
    initialValues: { identifier: '', password: '' },
    validate: { identifier: rules.required, password: rules.required },
  })
  const submit = useMutation({
    mutationFn: async ({ identifier, password }: typeof form.values) => {
      const secondStep = await signIn(http, toSignInInput(identifier, password))
      return secondStep ?? (await fetchOwnUser(http))
    },
    onSuccess: (next) => {
      if ('loginToken' in next) void navigate(paths.totp(next.loginToken, landing))
      else enter(next)
    },
  })

  const problem = submit.error ?? passkey.error

  return (
    <form onSubmit={form.onSubmit((values) => submit.mutate(values))} noValidate>
      <Stack gap="md">
        {problem && (
          <Alert color="red" role="alert">
            {errorMessage(problem)}
          </Alert>
        )}
        <TextInput
          label={t('auth.fields.identifier')}
          autoComplete={passkey.isOffered ? 'username webauthn' : 'username'}
          autoCapitalize="none"
          spellCheck={false}
          ref={firstField}
          {...form.getInputProps('identifier')}
        />
        <div>
          <PasswordField
            label={t('auth.fields.password')}
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          {settings['smtp.enabled'] && (
            <Text size="sm" ta="end" mt={6}>
              <PageLink to={paths.resetPassword}>{t('auth.signIn.forgot')}</PageLink>
            </Text>
          )}
        </div>
        <Button type="submit" loading={submit.isPending} fullWidth mt="xs">
          {t('auth.signIn.submit')}
        </Button>
        {passkey.isOffered && <PasskeyButton {...passkey} label={t('auth.passkey.signIn')} />}
      </Stack>
    </form>
  )
}
