import { findSettings, readSetting } from '@floe/admin'
import type { ConfigKey } from '@floe/contracts'
import type { Knex } from '@floe/db'
import type { SourceSetting } from '@floe/import'

type Setting = Exclude<ReturnType<typeof readSetting>, string>

export interface SettingPlan {
  settings: Setting[]
  /** How long files outlive the end of their share. */
  retentionHours: number
  losses: string[]
}

/** What is called otherwise here. */
const counterparts: Partial<Record<string, ConfigKey>> = {
  'email.enableEmailVerification': 'general.requireEmailVerification',
  'security.enableEmailVerification': 'general.requireEmailVerification',
  'security.minLength': 'general.minPasswordLength',
}

const RETENTION = 'share.fileRetentionPeriod'

/** What is set there and not here. What was set here stays. */
export async function mapSettings(
  knex: Knex,
  sources: readonly SourceSetting[],
): Promise<SettingPlan> {
  const plan: SettingPlan = { settings: [], retentionHours: 0, losses: [] }
  const named = sources.map(({ key, value }) => ({ key, value, name: counterparts[key] ?? key }))
  const names = named.map(({ name }) => name)
  const here = await findSettings(knex, [...names, RETENTION])
  for (const { key, value, name } of named) {
    if (here.has(name)) continue
    const setting = readSetting(name, value)
    if (setting === 'unknown') plan.losses.push(`setting ${key} has no counterpart here`)
    else if (setting === 'unusable')
      plan.losses.push(`setting ${key} has a value that is none here`)
    else if (setting.value !== null) plan.settings.push(setting)
  }
  const retention = plan.settings.find(({ key }) => key === RETENTION)?.value
  plan.retentionHours = Number(here.get(RETENTION) ?? retention ?? 0)
  return plan
}
