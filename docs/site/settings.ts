import { configCatalogue, type ConfigVariable, formatSize } from '@floe/contracts'
import type { Page } from './pages.ts'
import { readRepositoryFile } from './repository.ts'
import { cell, code, table } from './tables.ts'

const source = 'packages/contracts/src/config-catalogue.ts'

interface Catalogue {
  admin: { categories: Record<string, string> }
  config: Record<string, Record<string, { label: string; help: string }>>
}

/** Every setting, with the words of the configuration page. */
export function describeSettings(): Page {
  const { admin, config } = JSON.parse(
    readRepositoryFile('web/src/shared/i18n/locales/en.json'),
  ) as Catalogue
  const chapters = Object.entries(admin.categories).map(([category, title]) => {
    const rows = Object.entries<ConfigVariable>(configCatalogue)
      .filter(([key]) => key.startsWith(`${category}.`))
      .map(([key, variable]) => {
        const text = config[category]?.[key.slice(category.length + 1)]
        return [
          code(key),
          cell(`**${text?.label ?? ''}** ${text?.help ?? ''}`),
          defaultOf(variable),
        ]
      })
    return `## ${title}\n\n${table(['Setting', 'Meaning', 'Default'], rows)}`
  })
  return {
    path: 'administer/settings',
    source,
    markdown: [
      '# All settings',
      'What the configuration page sets, with the names by which `SETTINGS` fixes them.',
      ...chapters,
    ].join('\n\n'),
  }
}

function defaultOf(variable: ConfigVariable): string {
  if (variable.type === 'boolean') return variable.default ? 'on' : 'off'
  if (variable.type !== 'number') return cell(code(variable.default))
  const { default: value, unit } = variable
  if (unit === 'byte' && value > 0) return `${code(String(value))} (${formatSize(value, 'en')})`
  return `${code(String(value))}${unit && value > 0 ? ` ${unit}s` : ''}`
}
