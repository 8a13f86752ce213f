import { canvas, cssVariables, ink, theme } from './theme.ts'

/** The colours of the theme, for a page on which no script sets them. */
export function plainColors(): string {
  const { variables, light, dark } = cssVariables
  const lightColors = { ...light, '--floe-ink': ink.light }
  const common = { ...variables, '--floe-font': theme.fontFamily ?? 'sans-serif' }
  const darkColors = declare({ ...dark, '--floe-canvas': canvas.dark, '--floe-ink': ink.dark })
  return [
    `html{${declare({ ...common, ...lightColors })}}`,
    `@media (prefers-color-scheme:dark){html[data-mantine-color-scheme='auto']{${darkColors}}}`,
    `html[data-mantine-color-scheme='dark']{${darkColors}}`,
  ].join('\n')
}

function declare(variables: Record<string, string>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
}
