import { Switch, type SwitchProps } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { useTranslation } from 'react-i18next'

interface RestrictSwitchProps extends SwitchProps {
  /** There is somebody the share would open for, or it is restricted already. */
  isPossible: boolean
  /** A rule restricts every share. */
  isRequired: boolean
}

/** Whether a share opens for its recipients alone. */
export function RestrictSwitch({ isPossible, isRequired, ...input }: RestrictSwitchProps) {
  const { t } = useTranslation()
  return (
    <Switch
      label={t('upload.recipients.restrict')}
      description={t('upload.recipients.restrictHint')}
      {...input}
      disabled={isRequired || !isPossible}
      checked={isRequired || input.checked === true}
    />
  )
}
