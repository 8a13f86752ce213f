import { MantineContext, type MantineThemeOverride, MantineThemeProvider } from '@mantine/core'
import { type ReactNode, useLayoutEffect } from 'react'
import { followScheme } from '../shared/session/color-scheme.ts'

const getRootElement = () => document.documentElement
const ignore = () => undefined

/** Never changes: the color scheme is ours, see `color-scheme.ts`. */
const context = {
  colorScheme: 'auto',
  setColorScheme: ignore,
  clearColorScheme: ignore,
  getRootElement,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: true,
} as const

/**
 * MantineProvider without what it brings to write styles while the page runs, which the build has
 * made a style sheet, and to draw every component anew when the color scheme changes.
 */
export function ThemeProvider({
  theme,
  children,
}: {
  theme: MantineThemeOverride
  children: ReactNode
}) {
  useLayoutEffect(() => {
    getRootElement().dataset['respectReducedMotion'] = 'true'
    return followScheme()
  }, [])
  return (
    <MantineContext value={context}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  )
}
