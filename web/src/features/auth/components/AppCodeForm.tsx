import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CODE_DIGITS, CodeInput } from '../../../shared/components/CodeInput.tsx'

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
  const [isShort, setIsShort] = useState(false)
  const submit = (complete: string) => {
    if (!isBusy) onSubmit(complete, () => setCode(''))
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setIsShort(code.length < CODE_DIGITS)
        if (code.length === CODE_DIGITS) submit(code)
      }}
    >
      <Stack gap="md">
        <CodeInput
          label={t('auth.totp.code')}
          autoFocus
          value={code}
          error={isShort ? t('validation.exactly', { length: CODE_DIGITS }) : error}
          isBusy={isBusy}
          onChange={(next) => {
            setCode(next)
            setIsShort(false)
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
