import { type AdminPort, defaultSettings, type LogoVersions, type Settings } from '@floe/contracts'
import type { GatewayLog } from '../edge/request-log.ts'

/**
 * What administrators make of this site. While the service that knows does not respond, it is what
 * was known last, or the default: pages still load.
 */
export interface Site {
  settings(): Promise<Settings>
  /** The versions of the logos that were set. */
  logos(): Promise<LogoVersions>
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
  let lastLogos: LogoVersions = { light: null, dark: null }
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
    async logos() {
      try {
        const { version, darkVersion } = await admin.logo({})
        lastLogos = { light: version, dark: darkVersion }
      } catch (err) {
        log.warn({ err }, 'logo unavailable; page sent with the last known one')
      }
      return lastLogos
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
