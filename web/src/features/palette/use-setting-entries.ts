import { configCatalogue, type ConfigKey, isConfigKey } from '@floe/contracts'
import { IconAdjustments } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/session.ts'
import { configTexts } from '../../shared/settings/config-texts.ts'
import { type Category, categoryOf, providerOf } from '../../shared/settings/setting-places.ts'
import { providerNames } from '../../shared/social/provider-names.ts'
import type { Entry } from './entry.ts'

/** Every setting, for administrators: each leads to its field. */
export function useSettingEntries(): () => Entry[] {
  const { t } = useTranslation()
  const { user } = useSession()
  const isAdmin = user?.isAdmin ?? false

  const toEntry = (category: Category, setting: string, label: string, place: string): Entry => ({
    ...{ id: setting, group: 'configuration', icon: IconAdjustments, isOffered: false },
    label,
    detail: place,
    // As it is called in the environment of the server and in scripts.
    keywords: `${t('admin.configuration')} ${setting}`,
    act: `${paths.adminConfig(category)}#${setting}`,
  })

  const toEntries = (key: ConfigKey): Entry[] => {
    const category = categoryOf(key)
    if (category === null) return []
    const provider = providerOf(key)
    const place = t(`admin.categories.${category}`)
    const within = provider === null ? place : `${place} › ${providerNames[provider]}`
    return [toEntry(category, key, configTexts(t, key).label, within)]
  }

  return () => {
    if (!isAdmin) return []
    const settings = Object.keys(configCatalogue).filter(isConfigKey).flatMap(toEntries)
    const general = t('admin.categories.general')
    const logo = toEntry('general', 'logo', t('admin.logo.title'), general)
    const darkLogo = toEntry('general', 'dark-logo', t('admin.darkLogo.title'), general)
    return [...settings, logo, darkLogo]
  }
}
