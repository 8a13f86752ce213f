import type { MantineThemeOverride } from '@mantine/core'
import type { i18n } from 'i18next'
import { theme } from './theme.ts'

/** The theme with names for the buttons that the components draw by themselves. */
export function translateTheme({ t }: i18n): MantineThemeOverride {
  const closeButtonProps = { 'aria-label': t('common.close') }
  const visibilityToggleButtonProps = { 'aria-label': t('common.showPassword') }
  return {
    ...theme,
    components: {
      ...theme.components,
      Modal: withProps('Modal', { closeButtonProps }),
      Notification: withProps('Notification', { closeButtonProps }),
      PasswordInput: withProps('PasswordInput', { visibilityToggleButtonProps }),
    },
  }
}

function withProps(component: string, texts: Record<string, unknown>) {
  const own = theme.components?.[component]
  return { ...own, defaultProps: { ...own?.defaultProps, ...texts } }
}
