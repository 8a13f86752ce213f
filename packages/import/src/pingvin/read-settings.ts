import type { SourceSetting } from '../source.ts'
import type { Tables } from './tables.ts'
import { text, textOrNull } from './values.ts'

/** What was set; a row without a value has its default. */
export function readSettings(tables: Tables): SourceSetting[] {
  return tables.all('Config', 'order by "category", "order"').flatMap((row) => {
    const value = textOrNull(row, 'value')
    return value === null ? [] : [{ key: `${text(row, 'category')}.${text(row, 'name')}`, value }]
  })
}
