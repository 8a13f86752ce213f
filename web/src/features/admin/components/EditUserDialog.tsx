import { Alert, Button, Stack, Switch, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import type { UserView } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { type UserChanges, updateUser } from '../api/users.ts'
import { type StorageGigabytes, toBytes, toGigabytes } from '../storage-gigabytes.ts'
import { isAboutField, useUserMutation } from '../use-user-mutation.ts'
import { LimitInput } from './LimitInput.tsx'

interface Values {
  username: string
  email: string
  isAdmin: boolean
  password: string
  storageGigabytes: StorageGigabytes
  shareGigabytes: StorageGigabytes
}

/** Only what differs from the account; empty when nothing does. */
function changesOf(user: UserView, values: Values): UserChanges {
  const { username, email, isAdmin, password } = values
  const storageLimit = toBytes(values.storageGigabytes)
  const shareSizeLimit = toBytes(values.shareGigabytes)
  return {
    ...(username !== user.username && { username }),
    ...(email !== user.email && { email }),
    ...(isAdmin !== user.isAdmin && { isAdmin }),
    ...(password !== '' && { password }),
    ...(storageLimit !== (user.storageLimit ?? null) && { storageLimit }),
    ...(shareSizeLimit !== (user.shareSizeLimit ?? null) && { shareSizeLimit }),
  }
}

function useAccountForm(user: UserView) {
  const rules = useFormRules()
  const { username, email, isAdmin } = user
  return useForm<Values>({
    initialValues: {
      username,
      email,
      isAdmin,
      password: '',
      storageGigabytes: toGigabytes(user.storageLimit ?? null),
      shareGigabytes: toGigabytes(user.shareSizeLimit ?? null),
    },
    validate: {
      username: rules.username,
      email: rules.email,
      password: (value) => (value === '' ? null : rules.password(value)),
    },
  })
}

export function EditUserDialog({ user, onClose }: { user: UserView; onClose: () => void }) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const form = useAccountForm(user)
  const changes = changesOf(user, form.values)
  const save = useUserMutation({
    run: () => updateUser(http, user.id, changes),
    done: t('admin.users.saved'),
    onClose,
    onFieldError: (field, message) => form.setFieldError(field, message),
  })

  return (
    <Dialog opened onClose={onClose} title={t('admin.users.edit', { name: user.username })}>
      <form noValidate onSubmit={form.onSubmit(() => save.mutate(undefined))}>
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
            readOnly={user.isLdap}
            description={user.isLdap && t('errors.directoryAccount')}
            {...form.getInputProps('email')}
          />
          {!user.isLdap && (
            <PasswordField
              label={t('admin.users.newPassword')}
              description={t('admin.users.newPasswordHint')}
              placeholder={t('edit.keepPassword')}
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
          {save.isError && !isAboutField(save.error) && (
            <Alert color="red" role="alert">
              {errorMessage(save.error)}
            </Alert>
          )}
          <Button
            type="submit"
            size="md"
            disabled={Object.keys(changes).length === 0}
            loading={save.isPending}
          >
            {t('common.save')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
