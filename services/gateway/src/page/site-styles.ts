import {
  type Boot,
  findPage,
  type Settings,
  siteStylePaths,
  type SiteStyleVersions,
} from '@floe/contracts'
import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { html, type Markup } from './markup.ts'
import type { Site } from './site.ts'
import { toWebFile, type WebFile, type WebFiles } from './web-files.ts'

type StyleName = keyof SiteStyleVersions

const sources = {
  accent: 'appearance.accentColor',
  custom: 'appearance.customCss',
} as const satisfies Record<StyleName, keyof Settings>

/** Only the settings are read for it: two replicas with the same ones say the same. */
export function siteStyleVersions(settings: Settings): SiteStyleVersions {
  const versionOf = (name: StyleName) => {
    const source = settings[sources[name]]
    return source === '' ? null : createHash('sha256').update(source).digest('hex').slice(0, 16)
  }
  return { accent: versionOf('accent'), custom: versionOf('custom') }
}

/**
 * Announces the style sheets of the site behind those of the application, whose rules they replace.
 * The configuration goes without the one that administrators write: they have to be able to correct
 * it where it hides everything.
 */
export function renderStyleLinks({ styles }: Pick<Boot, 'styles'>, path: string): Markup {
  const isConfiguration = findPage(path) === 'adminConfig'
  const link = (name: StyleName) => {
    const version = styles[name]
    if (version === null || (name === 'custom' && isConfiguration)) return []
    return [html`<link rel="stylesheet" href="${siteStylePaths[name]}?v=${version}" />`]
  }
  return html`${[...link('accent'), ...link('custom')]}`
}

/** What is at this URL path; `null` where no style sheet of the site is. */
export async function findSiteStyle(
  req: Request,
  { site, files }: { site: Pick<Site, 'settings'>; files: Pick<WebFiles, 'renderAccent'> },
): Promise<WebFile | null> {
  const name = ([...Object.keys(sources)] as StyleName[]).find(
    (candidate) => siteStylePaths[candidate] === req.path,
  )
  if (name === undefined) return null
  const settings = await site.settings()
  const source = settings[sources[name]]
  const text = name === 'custom' || source === '' ? source : await files.renderAccent(source)
  const file = toWebFile(req.path, Buffer.from(text))
  // A replica that knows older settings must not be kept under the address of the new ones.
  const isCurrent = siteStyleVersions(settings)[name] === req.query['v']
  return isCurrent ? { ...file, cacheControl: 'public, max-age=31536000, immutable' } : file
}
