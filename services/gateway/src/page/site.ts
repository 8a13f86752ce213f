import { type AdminPort, defaultSettings, type Settings } from '@floe/contracts'
import type { GatewayLog } from '../edge/request-log.ts'

/**
 * What administrators make of this site. While the service that knows does not respond, it is what
 * was known last, or the default: pages still load.
 */
export interface Site {
  settings(): Promise<Settings>
  /** The version of the logo; `null` for the one that the product comes with. */
  logo(): Promise<string | null>
  /** Whether the welcome of the first run is over. */
  isSetUp(): Promise<boolean>
}

export function createSite({
  admin,
  log,
}: {
  admin: Pick<AdminPort, 'settings' | 'logo' | 'setup'>
  log: GatewayLog
}): Site {
  let lastSettings = defaultSettings()
  let lastLogo: string | null = null
  let isSetUp = false
  return {
    async settings() {
      try {
        lastSettings = await admin.settings({})
      } catch (err) {
        log.warn({ err }, 'settings unavailable; page sent with the last known ones')
      }
      return lastSettings
    },
    async logo() {
      try {
        lastLogo = (await admin.logo({})).version
      } catch (err) {
        log.warn({ err }, 'logo unavailable; page sent with the last known one')
      }
      return lastLogo
    },
    async isSetUp() {
      // Once it is, it stays so, and nobody needs to be asked again.
      if (isSetUp) return true
      try {
        isSetUp = (await admin.setup({})).isFinished
        return isSetUp
      } catch (err) {
        log.warn({ err }, 'setup state unavailable; page sent as if setup were finished')
        return true
      }
    },
  }
}
