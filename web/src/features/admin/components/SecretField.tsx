import { Button, PasswordInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useTranslation } from 'react-i18next'

interface SecretFieldProps {
  id: string
  'aria-describedby': string
  maxLength: number
  isSet: boolean
  disabled: boolean
  /** What was typed; `undefined` leaves what the server has, `''` removes it. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** A secret that can be replaced or removed, never read. */
export function SecretField({ isSet, value, onChange, ...input }: SecretFieldProps) {
  const { t } = useTranslation()
  const isRemoved = value === ''
  const state = isRemoved ? 'removed' : isSet ? 'set' : 'unset'
  return (
    <div>
      <PasswordInput
        {...input}
        value={value ?? ''}
        autoComplete="new-password"
        placeholder={t(`admin.secret.${state}`)}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      />
      {isSet && !input.disabled && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={6}
          ms={-8}
          color={isRemoved ? 'ice' : 'red'}
          aria-describedby={input['aria-describedby']}
          onClick={() => onChange(isRemoved ? undefined : '')}
        >
          {t(isRemoved ? 'admin.secret.keep' : 'admin.secret.remove')}
        </Button>
      )}
    </div>
  )
}
