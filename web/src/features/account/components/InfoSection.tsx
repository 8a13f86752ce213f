import { Button, Stack, Text, TextInput } from '@mantine/core'
import type { UpdateOwnUserInput, UserView } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { fetchOwnUser } from '../../../shared/api/fetch-own-user.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { useFormRules } from '../../../shared/form-rules.ts'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { updateOwnUser } from '../api/update-own-user.ts'
import { EmailChangeDialog } from './EmailChangeDialog.tsx'
import { Section } from './Section.tsx'
import { ShowNameSwitch } from './ShowNameSwitch.tsx'

/** Name and address; another address asks who it is, and may have to be confirmed by a message. */
export function InfoSection({ user }: { user: UserView }) {
  const { t } = useTranslation()
  const http = useHttp()
  const [isAsking, setIsAsking] = useState(false)
  const own = useQuery({ queryKey: queryKeys.ownUser, queryFn: () => fetchOwnUser(http) })
  const pendingEmail = own.data?.pendingEmail
  const { form, save, finish, showAtField } = useInfoForm(user, () => setIsAsking(false))
  const asksFor = user.hasPassword === false ? (user.totpVerified ? 'code' : null) : 'password'

  function submit(values: typeof form.values) {
    const isMoving = values.email.toLowerCase() !== user.email.toLowerCase()
    if (isMoving && asksFor !== null) setIsAsking(true)
    else save.mutate(values)
  }

  return (
    <Section
      title={t('account.info.title')}
      hint={t(user.isLdap ? 'errors.directoryAccount' : 'account.info.hint')}
    >
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <Stack gap="md" align="flex-start">
          <TextInput
            w="100%"
            label={t('auth.fields.username')}
            autoComplete="username"
            readOnly={user.isLdap}
            {...form.getInputProps('username')}
          />
          <TextInput
            w="100%"
            label={t('auth.fields.email')}
            type="email"
            autoComplete="email"
            readOnly={user.isLdap}
            {...form.getInputProps('email')}
          />
          {pendingEmail !== undefined && (
            <Text size="sm" role="status">
              {t('account.info.pending', { email: pendingEmail })}
            </Text>
          )}
          {!user.isLdap && (
            <Button type="submit" loading={save.isPending}>
              {t('common.save')}
            </Button>
          )}
        </Stack>
      </form>
      <ShowNameSwitch own={own.data} />
      {isAsking && asksFor && (
        <EmailChangeDialog
          email={form.values.email}
          asksFor={asksFor}
          change={(proof) => updateOwnUser(http, { ...form.values, ...proof })}
          onDone={finish}
          onRefused={(error) => {
            showAtField(error)
            setIsAsking(false)
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Section>
  )
}

function useInfoForm(user: UserView, onSaved: () => void) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const { changeUser } = useSession()
  const rules = useFormRules()
  const errorMessage = useErrorMessage()
  const form = useForm({
    initialValues: { username: user.username, email: user.email },
    validate: { username: rules.username, email: rules.email },
  })

  function finish(changed: UserView) {
    const isPending = changed.email !== form.values.email
    queryClient.setQueryData(queryKeys.ownUser, changed)
    changeUser(changed)
    form.setFieldValue('email', changed.email)
    onSaved()
    notifySuccess(t(isPending ? 'auth.reset.sent' : 'account.info.saved'))
  }

  /** Whether the error is shown beside a field. */
  function showAtField(error: Error): boolean {
    const field = hasCode(error, 'username_taken')
      ? 'username'
      : hasCode(error, 'email_taken')
        ? 'email'
        : null
    if (field) form.setFieldError(field, errorMessage(error))
    return field !== null
  }

  const save = useMutation({
    mutationFn: (input: UpdateOwnUserInput) => updateOwnUser(http, input),
    onSuccess: finish,
    onError: (error) => {
      if (!showAtField(error)) notifyError(errorMessage(error))
    },
  })
  return { form, save, finish, showAtField }
}
