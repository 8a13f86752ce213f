import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'

interface SecretFieldProps {
  id: string
  describedBy: string
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
      <PasswordField
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
          aria-describedby={input.describedBy}
          onClick={() => onChange(isRemoved ? undefined : '')}
        >
          {t(isRemoved ? 'admin.secret.keep' : 'admin.secret.remove')}
        </Button>
      )}
    </div>
  )
}
