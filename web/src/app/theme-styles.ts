import {
  deepMerge,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  type MantineColorsTuple,
  mergeMantineTheme,
} from '@mantine/core'
import { shadesLike } from '@floe/contracts'
import { cssVariablesOf, ice, theme } from './theme.ts'

type Variables = Record<string, string>

/**
 * The theme as a style sheet, for the build: what the document draws before any script runs, and
 * where none does, has its colours and sizes. The scheme `auto` is that of the system, until the
 * app names it.
 */
export function themeStyles(): string {
  return toStyles(variablesIn(ice))
}

/** What the theme changes where its colour is another one; follows it in the document. */
export function accentStyles(color: string): string {
  const [own, changed] = [variablesIn(ice), variablesIn(shadesLike(color, ice))]
  return toStyles({
    always: differences(changed.always, own.always),
    dark: differences(changed.dark, own.dark),
  })
}

/** Outside the dark, and what the dark changes of it. */
function variablesIn(shades: MantineColorsTuple): { always: Variables; dark: Variables } {
  const own = mergeMantineTheme(DEFAULT_THEME, {
    ...theme,
    colors: { ...theme.colors, ice: shades },
  })
  const { variables, light, dark } = deepMerge(
    defaultCssVariablesResolver(own),
    cssVariablesOf(shades),
  )
  return { always: { ...variables, ...light }, dark }
}

function differences(changed: Variables, own: Variables): Variables {
  return Object.fromEntries(Object.entries(changed).filter(([name, value]) => own[name] !== value))
}

function toStyles({ always, dark }: ReturnType<typeof variablesIn>): string {
  const darkRules = declare(dark)
  return [
    `:root{${declare(always)}}`,
    `@media (prefers-color-scheme:dark){:root[data-mantine-color-scheme='auto']{${darkRules}}}`,
    `:root[data-mantine-color-scheme='dark']{${darkRules}}`,
  ].join('\n')
}

const foreignColors = Object.keys(DEFAULT_THEME.colors).filter((name) => !theme.colors?.[name])
const foreign = new RegExp(`^--mantine-color-(?:${foreignColors.join('|')})-`)

/** Without Mantine's colours that are none of ours. */
function declare(variables: Variables): string {
  return Object.entries(variables)
    .filter(([name]) => !foreign.test(name))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
}
