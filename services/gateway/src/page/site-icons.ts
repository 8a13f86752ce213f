import type { AdminPort } from '@floe/contracts'
import type { GatewayLog } from '../edge/request-log.ts'
import type { Site } from './site.ts'
import { toWebFile, type WebFile } from './web-files.ts'

/** The icons of the logo that an administrator has set, in place of those that were built. */
export interface SiteIcons {
  /** What is at this URL path; `null` where the built file is. */
  find(path: string): Promise<WebFile | null>
}

type Files = ReadonlyMap<string, WebFile>

/** How often a logo may be replaced while its icons are being read. */
const ATTEMPTS = 3

/**
 * Which logo there is, is asked each time, so that no replica shows an old one; its icons are held
 * in memory until there is another.
 */
export function createSiteIcons({
  site,
  admin,
  log,
}: {
  site: Pick<Site, 'logo'>
  admin: Pick<AdminPort, 'icons'>
  log: GatewayLog
}): SiteIcons {
  let held: { version: string; files: Promise<Files | null> } | null = null

  /** `null` when it is not the logo any more. Requests at the same time read them once. */
  function filesOf(version: string): Promise<Files | null> {
    if (held?.version === version) return held.files
    const entry = { version, files: read(version) }
    held = entry
    entry.files.catch(() => {
      if (held === entry) held = null
    })
    return entry.files
  }

  async function read(version: string): Promise<Files | null> {
    const { icons } = await admin.icons({ version })
    if (icons === null) return null
    return new Map(
      Object.entries(icons).map(([path, text]) => [
        `/${path}`,
        toWebFile(path, Buffer.from(text, 'base64')),
      ]),
    )
  }

  return {
    async find(path) {
      if (path !== '/favicon.ico' && !path.startsWith('/img/')) return null
      try {
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const version = await site.logo()
          if (version === null) return null
          const files = await filesOf(version)
          if (files !== null) return files.get(path) ?? null
        }
      } catch (err) {
        log.warn({ err }, 'could not read the icons of the site')
      }
      return null
    },
  }
}
