import { useTranslation } from 'react-i18next'
import { readDevice } from './device-name.ts'

/** What a user agent is, in a name for people. */
export function useDevice(userAgent: string): { name: string; isHandheld: boolean } {
  const { t } = useTranslation()
  const { program, system, isHandheld } = readDevice(userAgent)
  const name =
    program && system
      ? t('account.devices.name', { program, system })
      : (program ?? system ?? t('account.devices.unknown'))
  return { name, isHandheld }
}
