import { NumberInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'

/** How much an account may store; `StorageGigabytes` as its value. */
export function StorageLimitInput(input: GetInputPropsReturnType) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <NumberInput
      label={t('admin.users.storageLimit', { unit: format.sizeUnit('gigabyte') })}
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
