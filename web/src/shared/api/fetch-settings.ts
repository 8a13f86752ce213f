import {
  configCatalogue,
  defaultSettings,
  isConfigKey,
  settingFromWire,
  type Settings,
} from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from './http-client.ts'

const publicSettingSchema = z.object({ key: z.string(), value: z.string().nullish() })

/** The public settings in effect. Every value travels as a string. */
export async function fetchSettings(http: HttpClient): Promise<Settings> {
  const list = await http.request({
    method: 'GET',
    path: '/api/configs',
    response: z.array(publicSettingSchema),
  })
  const values: Record<string, unknown> = { ...defaultSettings() }
  for (const { key, value: told } of list) {
    if (!isConfigKey(key) || told === null || told === undefined) continue
    const value = settingFromWire(key, told)
    const { type } = configCatalogue[key]
    values[key] = type === 'number' ? Number(value) : type === 'boolean' ? value === 'true' : value
  }
  return values as Settings
}
