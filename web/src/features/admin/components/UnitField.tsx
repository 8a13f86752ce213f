import { Group, NativeSelect, NumberInput } from '@mantine/core'
import type { ConfigUnit } from '@floe/contracts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeField } from '../../../shared/components/describe-field.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import {
  fromAmount,
  isTimeUnit,
  type ShownUnit,
  toAmount,
  unitFor,
  unitsOf,
} from '../config-units.ts'
import classes from './UnitField.module.css'

interface UnitFieldProps {
  id: string
  describedBy: string
  /** The setting's. */
  label: string
  /** What the setting counts. */
  unit: ConfigUnit
  min: number
  max: number
  /** What the server has, which decides the unit to begin with. */
  initial: number
  disabled: boolean
  value: number
  onChange: (value: number) => void
}

/** A number in a unit that people choose; the setting keeps its own. */
export function UnitField({
  label,
  unit: kind,
  min,
  max,
  initial,
  disabled,
  value,
  describedBy,
  onChange,
  ...link
}: UnitFieldProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [unit, setUnit] = useState(() => unitFor(kind, initial))
  const amount = toAmount(kind, value, unit)
  const units = unitsOf(kind).map((name) => ({
    value: name,
    label: isTimeUnit(name)
      ? t(`share.expiry.unit.${name}`, { count: amount })
      : format.sizeUnit(name),
  }))
  return (
    <Group gap="sm" wrap="nowrap" className={classes.fields}>
      <NumberInput
        {...link}
        inputContainer={describeField(describedBy)}
        value={amount}
        min={toAmount(kind, min, unit)}
        max={toAmount(kind, max, unit)}
        allowDecimal={kind === 'byte' && unit !== 'byte'}
        decimalScale={2}
        disabled={disabled}
        thousandSeparator=" "
        onChange={(next) => onChange(fromAmount(kind, Number(next), unit))}
      />
      <NativeSelect
        aria-label={t('admin.unitOf', { label })}
        inputContainer={describeField(describedBy)}
        data={units}
        value={unit}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value as ShownUnit
          setUnit(chosen)
          const next = fromAmount(kind, amount, chosen)
          onChange(Math.min(max, Math.max(min, next)))
        }}
      />
    </Group>
  )
}
