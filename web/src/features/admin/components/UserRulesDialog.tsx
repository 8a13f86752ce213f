import { Alert, Button, Fieldset, NativeSelect, NumberInput, Skeleton, Stack } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Fieldset.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import { LONGEST_PERIOD_HOURS, userRules, type UserView } from '@floe/contracts'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { configTexts } from '../../../shared/settings/config-texts.ts'
import { updateUser } from '../api/users.ts'
import {
  choosableRules,
  type ExceptionValues,
  toExceptions,
  toExceptionValues,
} from '../rule-exceptions.ts'
import { useEffectiveSettings } from '../use-effective-settings.ts'
import { useUserMutation } from '../use-user-mutation.ts'
import { UserRulesTable } from './UserRulesTable.tsx'

const askedSettings = [...userRules, 'share.adminsMayExceedExpiration'] as const

/** Which rules hold for an account, and why; what holds for it alone is chosen here. */
export function UserRulesDialog({ user, onClose }: { user: UserView; onClose: () => void }) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const { settings, error } = useEffectiveSettings(askedSettings)
  const before = toExceptionValues(user.sharingExceptions ?? {})
  const form = useForm<ExceptionValues>({ initialValues: before })
  const sharingExceptions = toExceptions(form.values)
  const save = useUserMutation({
    run: () => updateUser(http, user.id, { sharingExceptions }),
    done: t('admin.users.saved'),
    onClose,
  })
  const failure = error ?? save.error
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('admin.users.rules', { name: user.username })}
      size="xl"
    >
      <form noValidate onSubmit={form.onSubmit(() => save.mutate(undefined))}>
        <Stack gap="lg">
          {settings ? (
            <UserRulesTable settings={settings} user={{ ...user, sharingExceptions }} />
          ) : (
            !error && <Skeleton height={320} radius="md" aria-hidden="true" />
          )}
          <Exceptions form={form} />
          {failure && (
            <Alert color="red" role="alert">
              {errorMessage(failure)}
            </Alert>
          )}
          <Button type="submit" size="md" disabled={!form.isDirty()} loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}

function Exceptions({ form }: { form: UseFormReturnType<ExceptionValues> }) {
  const { t } = useTranslation()
  const choices = [
    { value: '', label: t('admin.users.storageLimitOfSetting') },
    { value: 'yes', label: t('admin.users.yes') },
    { value: 'no', label: t('admin.rules.no') },
  ]
  return (
    <Fieldset legend={t('admin.rules.exceptions')} radius="md">
      <Stack gap="sm">
        <NumberInput
          label={t('admin.rules.inDays', {
            label: configTexts(t, 'share.maxExpiration').label,
          })}
          description={t('admin.users.storageLimitHint')}
          placeholder={t('admin.users.storageLimitOfSetting')}
          min={0}
          max={Math.floor(LONGEST_PERIOD_HOURS / 24)}
          decimalScale={2}
          allowNegative={false}
          {...form.getInputProps('maxExpirationDays')}
        />
        {choosableRules.map((rule) => (
          <NativeSelect
            key={rule}
            label={configTexts(t, `share.${rule}`).label}
            data={choices}
            {...form.getInputProps(rule)}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}
