import { findSettings, readSetting } from '@floe/admin'
import type { Knex } from '@floe/db'
import type { SourceSetting } from '@floe/import'

type Setting = Exclude<ReturnType<typeof readSetting>, string>

export interface SettingPlan {
  settings: Setting[]
  losses: string[]
}

/** What is set there and not here. What was set here stays. */
export async function mapSettings(
  knex: Knex,
  sources: readonly SourceSetting[],
): Promise<SettingPlan> {
  const plan: SettingPlan = { settings: [], losses: [] }
  const here = await findSettings(
    knex,
    sources.map(({ key }) => key),
  )
  for (const { key, value } of sources) {
    if (here.includes(key)) continue
    const setting = readSetting(key, value)
    if (setting === 'unknown') plan.losses.push(`setting ${key} has no counterpart here`)
    else if (setting === 'unusable')
      plan.losses.push(`setting ${key} has a value that is none here`)
    else if (setting.value !== null) plan.settings.push(setting)
  }
  return plan
}
