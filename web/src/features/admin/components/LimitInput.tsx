import { NumberInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'

interface LimitInputProps extends GetInputPropsReturnType {
  of: 'storage' | 'shareSize'
}

/** How much an account may store, or share at once; `StorageGigabytes` as its value. */
export function LimitInput({ of, ...input }: LimitInputProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const unit = format.sizeUnit('gigabyte')
  return (
    <NumberInput
      label={t(`admin.users.${of}Limit`, { unit })}
      description={t('admin.users.storageLimitHint')}
      placeholder={t('admin.users.storageLimitOfSetting')}
      min={0}
      max={9_000_000}
      decimalScale={9}
      allowNegative={false}
      {...input}
    />
  )
}
