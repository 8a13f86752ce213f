import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from './CopyButton.tsx'
import classes from './CopyField.module.css'

/** A read-only link with a button that copies it. */
export function CopyField({
  label,
  isLabelHidden = false,
  hasButton = true,
  copyLabel,
  value,
}: {
  label: string
  /** Stands elsewhere on the page for those who see it. */
  isLabelHidden?: boolean
  /** Another button copies it. */
  hasButton?: boolean
  /** Of its button; that of a link unless given. */
  copyLabel?: string
  value: string
}) {
  const { t } = useTranslation()
  return (
    <TextInput
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      value={value}
      readOnly
      classNames={{ input: classes.input }}
      onFocus={(event) => event.currentTarget.select()}
      {...(hasButton && {
        rightSectionWidth: 44,
        rightSection: <CopyButton label={copyLabel ?? t('common.copyLink')} text={value} />,
      })}
    />
  )
}
