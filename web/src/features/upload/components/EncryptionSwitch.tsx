import { Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { useTranslation } from 'react-i18next'
import type { EncryptionChoice } from '../use-encryption.ts'

/** Stands where files are chosen: they are sent at once, so it is decided before. */
export function EncryptionSwitch({ isOn, isRequired, choose }: EncryptionChoice) {
  const { t } = useTranslation()
  return (
    <Switch
      label={t('upload.encryption.label')}
      description={t('upload.encryption.hint')}
      checked={isOn}
      disabled={isRequired}
      onChange={(event) => choose(event.currentTarget.checked)}
    />
  )
}
