import { Checkbox, NativeSelect, NumberInput, Text } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import { type DurationUnit, durationUnits } from '@floe/contracts'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../components/field-pair.module.css'
import { describeField } from '../components/describe-field.tsx'
import { useFormat } from '../format/use-format.ts'
import { type ExpiryChoice, expiryDate, MOST_UNITS } from './expiry-choice.ts'

const decimalMarks = ['.', ',']

interface ExpiryFieldsProps {
  value: ExpiryChoice
  error: string | null
  /** Only offered where a share may be without an end. */
  allowsNever: boolean
  /** The sentence about the date, where it is not about a share. */
  describe?: (date: string) => string
  onChange: (value: ExpiryChoice) => void
}

/** When a share ends: a number and a unit, or never, and the date that comes of it. */
export function ExpiryFields(props: ExpiryFieldsProps) {
  const { value, error, allowsNever, describe, onChange } = props
  const { t } = useTranslation()
  const format = useFormat()
  const previewId = useId()
  const date = expiryDate(value, new Date())
  const expiresOn = describe ?? ((text: string) => t('share.expiresOn', { date: text }))
  const units = durationUnits.map((unit) => ({
    value: unit,
    label: t(`share.expiry.unit.${unit}`, { count: value.amount || 0 }),
  }))

  return (
    <div>
      <div className={classes.pair}>
        <NumberInput
          data-path="expiry"
          label={t('share.expiry.amount')}
          value={value.amount}
          min={1}
          max={MOST_UNITS}
          // Refused aloud: without them 1,5 would become 15.
          allowedDecimalSeparators={decimalMarks}
          allowNegative={false}
          disabled={value.never}
          error={error !== null}
          inputContainer={describeField(previewId)}
          onChange={(amount) => onChange({ ...value, amount: amount === '' ? '' : Number(amount) })}
        />
        <NativeSelect
          label={t('share.expiry.unitLabel')}
          data={units}
          value={value.unit}
          disabled={value.never}
          onChange={(event) =>
            onChange({ ...value, unit: event.currentTarget.value as DurationUnit })
          }
        />
      </div>
      {allowsNever && (
        <Checkbox
          mt="sm"
          label={t('share.expiry.never')}
          checked={value.never}
          onChange={(event) => onChange({ ...value, never: event.currentTarget.checked })}
        />
      )}
      <Text
        id={previewId}
        size="sm"
        mt={6}
        c={error === null ? 'dimmed' : 'var(--mantine-color-error)'}
        role={error === null ? 'status' : 'alert'}
      >
        {error ?? (date ? expiresOn(format.date(date)) : t('share.neverExpires'))}
      </Text>
    </div>
  )
}
