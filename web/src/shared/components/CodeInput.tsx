import { Input, PinInput } from '@mantine/core'
import '@mantine/core/styles/PinInput.layer.css'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CODE_DIGITS } from '../form-rules.ts'
import classes from './CodeInput.module.css'

interface CodeInputProps {
  label: string
  autoFocus?: boolean
  value: string
  error: string | null
  isBusy: boolean
  onChange: (code: string) => void
  /** All digits are there. */
  onComplete: (code: string) => void
}

/** The six digits of an authenticator app, a box each. */
export function CodeInput({
  label,
  autoFocus = false,
  value,
  error,
  isBusy,
  onChange,
  onComplete,
}: CodeInputProps) {
  const { t } = useTranslation()
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const isRefused = error !== null && value === ''

  useEffect(() => {
    if (isRefused) first.current?.focus()
  }, [isRefused])

  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      error={error}
      errorProps={{ role: 'alert' }}
    >
      <PinInput
        ref={first}
        aria-labelledby={id}
        length={CODE_DIGITS}
        type="number"
        oneTimeCode
        autoFocus={autoFocus}
        placeholder=""
        size="lg"
        gap={8}
        my={4}
        value={value}
        error={error !== null}
        readOnly={isBusy}
        classNames={{ root: classes.boxes, pinInput: classes.box }}
        getInputProps={(index) => ({
          'aria-label': t('common.digit', { number: index + 1, total: CODE_DIGITS }),
        })}
        onChange={(code) => {
          onChange(code)
          if (code.length === CODE_DIGITS) onComplete(code)
        }}
      />
    </Input.Wrapper>
  )
}
