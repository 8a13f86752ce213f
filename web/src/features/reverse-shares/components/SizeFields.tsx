import { NativeSelect, NumberInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import { type SizeUnit, sizeUnits } from '@floe/contracts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { SizeChoice } from '../size-choice.ts'
import classes from '../../../shared/components/field-pair.module.css'

interface SizeFieldsProps {
  value: SizeChoice
  error: ReactNode
  onChange: (value: SizeChoice) => void
}

/** How large a share may be: a number and a unit. */
export function SizeFields({ value, error, onChange }: SizeFieldsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.pair}>
      <NumberInput
        label={t('reverseShares.fields.maxSize')}
        value={value.amount}
        min={0}
        max={99_999}
        decimalScale={2}
        allowNegative={false}
        error={error}
        onChange={(amount) => onChange({ ...value, amount: amount === '' ? '' : Number(amount) })}
      />
      <NativeSelect
        label={t('reverseShares.fields.sizeUnit')}
        data={sizeUnits.map((unit) => ({ value: unit, label: format.sizeUnit(unit) }))}
        value={value.unit}
        onChange={(event) => onChange({ ...value, unit: event.currentTarget.value as SizeUnit })}
      />
    </div>
  )
}
