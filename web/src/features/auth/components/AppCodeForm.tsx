import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeInput } from '../../../shared/components/CodeInput.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'

interface AppCodeFormProps {
  error: string | null
  isBusy: boolean
  onChange: () => void
  /** `clear` empties the boxes for another try. */
  onSubmit: (code: string, clear: () => void) => void
}

/** The code of the authenticator app; the last digit submits it. */
export function AppCodeForm({ error, isBusy, onChange, onSubmit }: AppCodeFormProps) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const rules = useFormRules()
  const [fault, setFault] = useState<string | null>(null)
  const submit = (complete: string) => {
    if (!isBusy) onSubmit(complete, () => setCode(''))
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const found = rules.code(code)
        setFault(found)
        if (found === null) submit(code)
      }}
    >
      <Stack gap="md">
        <CodeInput
          label={t('auth.totp.code')}
          autoFocus
          value={code}
          error={fault ?? error}
          isBusy={isBusy}
          onChange={(next) => {
            setCode(next)
            setFault(null)
            onChange()
          }}
          onComplete={submit}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {t('auth.totp.submit')}
        </Button>
      </Stack>
    </form>
  )
}
