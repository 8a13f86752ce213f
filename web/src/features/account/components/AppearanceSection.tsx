import { Input, NativeSelect, SegmentedControl, Stack } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { languageNames, languages } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../../shared/session/use-preferences.ts'
import { Section } from './Section.tsx'

export function AppearanceSection() {
  const { t } = useTranslation()
  const { locale, colorScheme, changeScheme, changeLocale } = usePreferences()

  return (
    <Section title={t('account.appearance.title')} hint={t('account.appearance.hint')}>
      <Stack gap="md">
        <NativeSelect
          label={t('nav.language')}
          value={locale}
          data={[
            { value: 'system', label: t('nav.system') },
            ...languages.map((code) => ({ value: code, label: languageNames[code] })),
          ]}
          onChange={(event) => changeLocale(event.currentTarget.value)}
        />
        <Input.Wrapper label={t('nav.colorScheme')} labelElement="div" id="color-scheme">
          <SegmentedControl
            fullWidth
            mt={4}
            radius="md"
            aria-label={t('nav.colorScheme')}
            value={colorScheme}
            data={[
              { value: 'dark', label: t('nav.dark') },
              { value: 'light', label: t('nav.light') },
              { value: 'system', label: t('nav.system') },
            ]}
            onChange={(value) => changeScheme(value)}
          />
        </Input.Wrapper>
      </Stack>
    </Section>
  )
}
