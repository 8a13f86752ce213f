import {
  deepMerge,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'
import { cssVariables, theme } from './theme.ts'

/**
 * The theme as a style sheet, for the build: what the document draws before any script runs, and
 * where none does, has its colours and sizes. The scheme `auto` is that of the system, until the
 * app names it.
 */
export function themeStyles(): string {
  const own = mergeMantineTheme(DEFAULT_THEME, theme)
  const { variables, light, dark } = deepMerge(defaultCssVariablesResolver(own), cssVariables)
  const darkRules = declare(dark)
  return [
    `:root{${declare({ ...variables, ...light })}}`,
    `@media (prefers-color-scheme:dark){:root[data-mantine-color-scheme='auto']{${darkRules}}}`,
    `:root[data-mantine-color-scheme='dark']{${darkRules}}`,
  ].join('\n')
}

const foreignColors = Object.keys(DEFAULT_THEME.colors).filter((name) => !theme.colors?.[name])
const foreign = new RegExp(`^--mantine-color-(?:${foreignColors.join('|')})-`)

/** Without Mantine's colours that are none of ours. */
function declare(variables: Record<string, string>): string {
  return Object.entries(variables)
    .filter(([name]) => !foreign.test(name))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
}
