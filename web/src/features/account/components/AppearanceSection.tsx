import { Input, NativeSelect, SegmentedControl, Stack, useMantineColorScheme } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { languageNames, languages } from '@floe/contracts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ColorScheme,
  readPreferences,
  writePreferences,
} from '../../../shared/session/preferences.ts'
import { Section } from './Section.tsx'

export function AppearanceSection() {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const [preferences, setPreferences] = useState(() => readPreferences(window.localStorage))

  function changeScheme(colorScheme: ColorScheme) {
    const next = { ...preferences, colorScheme }
    setPreferences(next)
    writePreferences(window.localStorage, next)
    setColorScheme(colorScheme === 'system' ? 'auto' : colorScheme)
  }

  function changeLocale(locale: string) {
    writePreferences(window.localStorage, { ...preferences, locale })
    // The server writes language and direction into the document.
    window.location.reload()
  }

  return (
    <Section title={t('account.appearance.title')} hint={t('account.appearance.hint')}>
      <Stack gap="md">
        <NativeSelect
          label={t('account.appearance.language')}
          value={preferences.locale}
          data={[
            { value: 'system', label: t('account.appearance.system') },
            ...languages.map((code) => ({ value: code, label: languageNames[code] })),
          ]}
          onChange={(event) => changeLocale(event.currentTarget.value)}
        />
        <Input.Wrapper
          label={t('account.appearance.colorScheme')}
          labelElement="div"
          id="color-scheme"
        >
          <SegmentedControl
            fullWidth
            mt={4}
            radius="md"
            aria-label={t('account.appearance.colorScheme')}
            value={preferences.colorScheme}
            data={[
              { value: 'dark', label: t('account.appearance.dark') },
              { value: 'light', label: t('account.appearance.light') },
              { value: 'system', label: t('account.appearance.system') },
            ]}
            onChange={(value) => changeScheme(value)}
          />
        </Input.Wrapper>
      </Stack>
    </Section>
  )
}
