import { NativeSelect, NumberInput, Switch, Text, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { memo, type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { describeField } from '../../../shared/components/describe-field.tsx'
import { type ConfigField, type FieldValue, isWellFormed } from '../config-fields.ts'
import { choicesOf, configTexts } from '../../../shared/settings/config-texts.ts'
import classes from './ConfigRow.module.css'
import { SecretField } from './SecretField.tsx'
import { UnitField } from './UnitField.tsx'

type WrittenVariable = Extract<ConfigField['variable'], { maxLength: number }>

/** Numbers up to here are read digit by digit, such as a port. */
const HIGHEST_PORT = 65_535

/** What a field for colors shows while none is set: such fields are never empty. */
const OWN_COLOR = '#126689'

interface ConfigRowProps {
  field: ConfigField
  /** What was typed, `undefined` before anything was. */
  value: FieldValue | undefined
  onChange: (field: ConfigField, value: FieldValue | undefined) => void
  /** Differs from what the server has. */
  isChanged?: boolean
  /** Below the field. */
  children?: ReactNode
}

/**
 * One setting: what it does, beside the field that changes it. Remembered: the others stay as they
 * are.
 */
export const ConfigRow = memo(function ConfigRow(props: ConfigRowProps) {
  const { field, value, onChange, isChanged, children } = props
  const { t } = useTranslation()
  const id = useId()
  const texts = configTexts(t, field.key)
  const helpId = `${id}-help`
  const markId = `${id}-changed`
  return (
    <div
      // An address leads here, such as `/admin/config/smtp#smtp.host`.
      id={field.key}
      tabIndex={field.isFixed ? -1 : undefined}
      className={classes.row}
      data-wide={field.variable.type === 'text' || undefined}
      data-changed={isChanged || undefined}
    >
      <div>
        <Text component="label" htmlFor={id} fw={600} size="sm">
          {texts.label}
        </Text>
        {isChanged && (
          <span className={classes.mark} id={markId}>
            {t('admin.changed')}
          </span>
        )}
        <Text id={helpId} size="sm" c="dimmed">
          {texts.help}
          {field.isFixed && <strong> {t('admin.fixed')}</strong>}
        </Text>
      </div>
      <Field
        id={id}
        describedBy={isChanged ? `${helpId} ${markId}` : helpId}
        field={field}
        value={value}
        onChange={(next) => onChange(field, next)}
      />
      {children}
    </div>
  )
})

interface FieldProps extends Pick<ConfigRowProps, 'field' | 'value'> {
  onChange: (value: FieldValue | undefined) => void
  id: string
  describedBy: string
}

function Field({ field, value: typed, onChange, ...link }: FieldProps) {
  const { id, describedBy } = link
  const { t } = useTranslation()
  const { variable, isFixed: disabled } = field
  const value = typed ?? field.initial
  if (variable.type === 'boolean') {
    return (
      <Switch
        id={id}
        aria-describedby={describedBy}
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
        id={id}
        inputContainer={describeField(describedBy)}
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
        id={id}
        inputContainer={describeField(describedBy)}
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
    id: link.id,
    inputContainer: describeField(link.describedBy),
    value: String(value),
    disabled,
    maxLength,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  const error = format && !isWellFormed(field, value) ? t(`validation.format.${format}`) : null
  if (variable.type === 'text') {
    return <Textarea {...text} autosize minRows={3} maxRows={16} error={error} />
  }
  return (
    <TextInput
      {...text}
      {...(format === 'color' && {
        leftSectionPointerEvents: 'all' as const,
        leftSection: (
          <input
            type="color"
            className={classes.color}
            aria-label={configTexts(t, field.key).label}
            aria-describedby={link.describedBy}
            value={isWellFormed(field, value) && value !== '' ? String(value) : OWN_COLOR}
            disabled={disabled}
            onChange={text.onChange}
          />
        ),
      })}
      error={error}
    />
  )
}
