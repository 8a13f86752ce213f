import { languageNames, languages } from '@floe/contracts'
import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../shared/session/use-preferences.ts'
import type { Entry } from './entry.ts'

const schemes = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'system', icon: IconDeviceDesktop },
] as const

export function useColorEntries(): Entry[] {
  const { t } = useTranslation()
  const { changeScheme } = usePreferences()
  return schemes.map(({ value, icon }) => ({
    ...{ id: `scheme ${value}`, group: 'appearance', icon, isOffered: true },
    label: t(`nav.${value}`),
    detail: t('nav.colorScheme'),
    act: () => changeScheme(value),
  }))
}

export function useLanguageEntries(): () => Entry[] {
  const { t, i18n } = useTranslation()
  const { changeLocale } = usePreferences()
  const toEntry = (code: string, label: string, keywords: string): Entry => ({
    ...{ id: `language ${code}`, group: 'language', icon: IconLanguage, isOffered: false },
    label,
    detail: t('nav.language'),
    keywords,
    act: () => changeLocale(code),
  })
  return () => {
    const here = new Intl.DisplayNames(i18n.language, { type: 'language' })
    const english = new Intl.DisplayNames('en', { type: 'language' })
    const spoken = languages.map((code) =>
      // Who cannot read this page, or cannot write a language's own name, finds it too.
      toEntry(code, languageNames[code], `${english.of(code)} ${here.of(code)} language`),
    )
    return [...spoken, toEntry('system', t('nav.system'), 'language')]
  }
}
