import { type AdminPort, type LogoVariant, usualIconPath } from '@floe/contracts'
import type { GatewayLog } from '../edge/request-log.ts'
import type { Site } from './site.ts'
import { toWebFile, type WebFile } from './web-files.ts'

/** The icons of the logos that an administrator has set, in place of those that were built. */
export interface SiteIcons {
  /** What is at this URL path; `null` where the built file is. */
  find(path: string): Promise<WebFile | null>
}

type Files = ReadonlyMap<string, WebFile>

/** How often a logo may be replaced while its icons are being read. */
const ATTEMPTS = 3

/**
 * Which logos there are, is asked each time, so that no replica shows an old one; their icons are
 * held in memory until there are others.
 */
export function createSiteIcons({
  site,
  admin,
  log,
}: {
  site: Pick<Site, 'logos'>
  admin: Pick<AdminPort, 'icons'>
  log: GatewayLog
}): SiteIcons {
  const held = new Map<LogoVariant, { version: string; files: Promise<Files | null> }>()

  /** `null` when it is not the logo any more. Requests at the same time read them once. */
  function filesOf(variant: LogoVariant, version: string): Promise<Files | null> {
    const known = held.get(variant)
    if (known?.version === version) return known.files
    const entry = { version, files: read(version) }
    held.set(variant, entry)
    entry.files.catch(() => {
      if (held.get(variant) === entry) held.delete(variant)
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

  async function findIn(variant: LogoVariant, path: string): Promise<WebFile | null> {
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const version = (await site.logos())[variant]
        if (version === null) return null
        const files = await filesOf(variant, version)
        if (files !== null) return files.get(path) ?? null
      }
    } catch (err) {
      log.warn({ err }, 'could not read the icons of the site')
    }
    return null
  }

  return {
    async find(path) {
      if (path !== '/favicon.ico' && !path.startsWith('/img/')) return null
      const usual = usualIconPath(path)
      const dark = path === usual ? null : await findIn('dark', path)
      return dark ?? findIn('light', usual)
    },
  }
}
