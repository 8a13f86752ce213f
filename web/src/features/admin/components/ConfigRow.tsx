import { NativeSelect, NumberInput, Switch, Text, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type ConfigField, type FieldValue, isWellFormed } from '../config-fields.ts'
import { choicesOf, configTexts } from '../config-texts.ts'
import classes from './ConfigRow.module.css'
import { SecretField } from './SecretField.tsx'
import { UnitField } from './UnitField.tsx'

type WrittenVariable = Extract<ConfigField['variable'], { maxLength: number }>

/** Numbers up to here are read digit by digit, such as a port. */
const HIGHEST_PORT = 65_535

interface ConfigRowProps {
  field: ConfigField
  /** What was typed, `undefined` before anything was. */
  value: FieldValue | undefined
  onChange: (value: FieldValue | undefined) => void
  /** Below the field. */
  children?: ReactNode
}

/** One setting: what it does, beside the field that changes it. */
export function ConfigRow({ field, value, onChange, children }: ConfigRowProps) {
  const { t } = useTranslation()
  const id = useId()
  const texts = configTexts(t, field.key)
  const helpId = `${id}-help`
  return (
    <div className={classes.row} data-wide={field.variable.type === 'text' || undefined}>
      <div>
        <Text component="label" htmlFor={id} fw={600} size="sm">
          {texts.label}
        </Text>
        <Text id={helpId} size="sm" c="dimmed">
          {texts.help}
          {field.isFixed && <strong> {t('admin.fixed')}</strong>}
        </Text>
      </div>
      <Field id={id} aria-describedby={helpId} field={field} value={value} onChange={onChange} />
      {children}
    </div>
  )
}

interface FieldProps extends Omit<ConfigRowProps, 'children'> {
  id: string
  'aria-describedby': string
}

function Field({ field, value: typed, onChange, ...link }: FieldProps) {
  const { t } = useTranslation()
  const { variable, isFixed: disabled } = field
  const value = typed ?? field.initial
  if (variable.type === 'boolean') {
    return (
      <Switch
        {...link}
        checked={value === true}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (variable.type === 'number' && variable.unit) {
    return (
      <UnitField
        {...link}
        min={variable.min}
        max={variable.max}
        label={configTexts(t, field.key).label}
        unit={variable.unit}
        initial={Number(field.initial)}
        disabled={disabled}
        value={Number(value)}
        onChange={onChange}
      />
    )
  }
  if (variable.type === 'number') {
    return (
      <NumberInput
        {...link}
        value={Number(value)}
        disabled={disabled}
        min={variable.min}
        max={variable.max}
        allowDecimal={false}
        thousandSeparator={variable.max > HIGHEST_PORT ? ' ' : ''}
        onChange={(next) => onChange(Number(next))}
      />
    )
  }
  if ('choices' in variable) {
    return (
      <NativeSelect
        {...link}
        data={choicesOf(t, field.key)}
        value={String(value)}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <WrittenField {...link} field={field} variable={variable} value={typed} onChange={onChange} />
  )
}

interface WrittenFieldProps extends FieldProps {
  variable: WrittenVariable
}

/** A setting that is typed: a secret, a text of several lines or a single line. */
function WrittenField({ field, variable, value: typed, onChange, ...link }: WrittenFieldProps) {
  const { t } = useTranslation()
  const { secret, isFixed: disabled } = field
  const { maxLength, format } = variable
  if (secret) {
    const secretValue = typed === undefined ? undefined : String(typed)
    return (
      <SecretField
        {...link}
        {...secret}
        maxLength={maxLength}
        disabled={disabled}
        value={secretValue}
        onChange={onChange}
      />
    )
  }
  const value = typed ?? field.initial
  const text = {
    ...link,
    value: String(value),
    disabled,
    maxLength,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (variable.type === 'text') return <Textarea {...text} autosize minRows={3} maxRows={16} />
  return (
    <TextInput
      {...text}
      error={format && !isWellFormed(field, value) ? t(`validation.format.${format}`) : null}
    />
  )
}
