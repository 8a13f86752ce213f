import { type MantineThemeOverride, mergeThemeOverrides } from '@mantine/core'
import type { i18n } from 'i18next'
import { theme } from './theme.ts'

/** The theme with names for the buttons that the components draw by themselves. */
export function translateTheme({ t }: i18n): MantineThemeOverride {
  const closeButtonProps = { 'aria-label': t('common.close') }
  return mergeThemeOverrides(theme, {
    components: {
      Modal: { defaultProps: { closeButtonProps } },
      Notification: { defaultProps: { closeButtonProps } },
      PasswordInput: {
        defaultProps: { visibilityToggleButtonProps: { 'aria-label': t('common.showPassword') } },
      },
    },
  })
}
