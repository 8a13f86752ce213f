import { NumberInput, PasswordInput, Switch, Text, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConfigField, FieldValue } from '../config-fields.ts'
import { configTexts } from '../config-texts.ts'
import classes from './ConfigRow.module.css'

interface ConfigRowProps {
  field: ConfigField
  value: FieldValue
  onChange: (value: FieldValue) => void
}

/** One setting: what it does, beside the field that changes it. */
export function ConfigRow({ field, value, onChange }: ConfigRowProps) {
  const { t } = useTranslation()
  const id = useId()
  const texts = configTexts(t, field.key)
  const helpId = `${id}-help`
  return (
    <div className={classes.row}>
      <div>
        <Text component="label" htmlFor={id} fw={600} size="sm">
          {texts.label}
        </Text>
        <Text id={helpId} size="sm" c="dimmed">
          {texts.help}
        </Text>
      </div>
      <Field id={id} aria-describedby={helpId} field={field} value={value} onChange={onChange} />
    </div>
  )
}

interface FieldProps extends ConfigRowProps {
  id: string
  'aria-describedby': string
}

function Field({ field, value, onChange, ...link }: FieldProps) {
  const { t } = useTranslation()
  const { variable, isSecret } = field
  if (variable.type === 'boolean') {
    return (
      <Switch
        {...link}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (variable.type === 'number') {
    return (
      <NumberInput
        {...link}
        value={Number(value)}
        min={variable.min}
        max={variable.max}
        allowDecimal={false}
        thousandSeparator=" "
        onChange={(next) => onChange(Number(next))}
      />
    )
  }
  const text = {
    ...link,
    value: String(value),
    maxLength: variable.maxLength,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (isSecret) {
    return (
      <PasswordInput {...text} autoComplete="new-password" placeholder={t('admin.secretKept')} />
    )
  }
  if (variable.type === 'text') return <Textarea {...text} autosize minRows={3} maxRows={12} />
  return <TextInput {...text} />
}
