import { Alert, Button, Stack, Switch, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { useSession } from '../../../shared/session/session.ts'
import { createUser } from '../api/users.ts'
import { toBytes, toGigabytes } from '../storage-gigabytes.ts'
import { isAboutField, useUserMutation } from '../use-user-mutation.ts'
import { LimitInput } from './LimitInput.tsx'

/** A new account: with a password set right here, or invited by e-mail to choose one. */
export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const errorMessage = useErrorMessage()
  const canInvite = settings['smtp.enabled']
  const { form, create } = useCreateUserForm({ canInvite, onClose })

  return (
    <Dialog opened onClose={onClose} title={t('admin.users.createTitle')}>
      <form noValidate onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack gap="md">
          <TextInput
            label={t('auth.fields.username')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
            {...form.getInputProps('username')}
          />
          <TextInput
            label={t('auth.fields.email')}
            type="email"
            autoComplete="off"
            {...form.getInputProps('email')}
          />
          {canInvite && (
            <Switch
              label={t('admin.users.setsPassword')}
              description={t('admin.users.setsPasswordHint')}
              {...form.getInputProps('setsPassword', { type: 'checkbox' })}
            />
          )}
          {form.values.setsPassword && (
            <PasswordField
              label={t('auth.fields.password')}
              autoComplete="new-password"
              {...form.getInputProps('password')}
            />
          )}
          <LimitInput of="storage" {...form.getInputProps('storageGigabytes')} />
          <LimitInput of="shareSize" {...form.getInputProps('shareGigabytes')} />
          <Switch
            label={t('admin.users.isAdmin')}
            {...form.getInputProps('isAdmin', { type: 'checkbox' })}
          />
          {create.isError && !isAboutField(create.error) && (
            <Alert color="red" role="alert">
              {errorMessage(create.error)}
            </Alert>
          )}
          <Button type="submit" size="md" loading={create.isPending}>
            {t('admin.users.create')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}

function useCreateUserForm({ canInvite, onClose }: { canInvite: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const http = useHttp()
  const rules = useFormRules()
  const form = useForm({
    initialValues: {
      username: '',
      email: '',
      setsPassword: !canInvite,
      password: '',
      isAdmin: false,
      storageGigabytes: toGigabytes(null),
      shareGigabytes: toGigabytes(null),
    },
    validate: {
      username: rules.username,
      email: rules.email,
      password: (value, { setsPassword }) => (setsPassword ? rules.password(value) : null),
    },
  })
  const create = useUserMutation({
    run: ({
      setsPassword,
      password,
      storageGigabytes,
      shareGigabytes,
      ...user
    }: typeof form.values) =>
      createUser(http, {
        ...user,
        storageLimit: toBytes(storageGigabytes),
        shareSizeLimit: toBytes(shareGigabytes),
        ...(setsPassword && { password }),
      }),
    done: t('admin.users.created'),
    onClose,
    onFieldError: (field, message) => form.setFieldError(field, message),
  })
  return { form, create }
}
