import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useFormRules } from '../../../shared/form-rules.ts'

interface RecoveryCodeFormProps {
  error: string | null
  isBusy: boolean
  onChange: () => void
  onSubmit: (code: string) => void
}

/** Signs in without the authenticator. */
export function RecoveryCodeForm({ error, isBusy, onChange, onSubmit }: RecoveryCodeFormProps) {
  const { t } = useTranslation()
  const rules = useFormRules()
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: rules.required },
    onValuesChange: onChange,
  })
  const input = form.getInputProps('code')
  return (
    <form noValidate onSubmit={form.onSubmit(({ code }) => onSubmit(code.trim()))}>
      <Stack gap="md">
        <TextInput
          label={t('auth.totp.recoveryCode')}
          placeholder="xxxx-xxxx-xxxx-xxxx"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          maxLength={64}
          errorProps={{ role: 'alert' }}
          {...input}
          error={input.error ?? error}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {t('auth.totp.submit')}
        </Button>
      </Stack>
    </form>
  )
}
