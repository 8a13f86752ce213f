import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from './CopyButton.tsx'
import classes from './CopyField.module.css'

/** A read-only link with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={label}
      value={value}
      readOnly
      classNames={{ input: classes.input }}
      onFocus={(event) => event.currentTarget.select()}
      rightSectionWidth={44}
      rightSection={<CopyButton label={t('common.copyLink')} text={value} />}
    />
  )
}
