import type { Boot } from '@floe/contracts'
import { textDirection } from '@floe/http'
import { escapeHtml, type Markup } from './markup.ts'

/** What the document shows before its scripts run. */
export interface DocumentParts {
  /** Stands ahead of the site's name. */
  title: string | null
  meta: Markup
  /** Announces what the page consists of. */
  links: Markup
  /** Style sheets of the site. */
  styles: Markup
  /** HTML that stands in the root until the application takes its place. */
  firstPaint: string
}

/** Fills the built page's placeholders with what this visitor starts with. */
export function renderPage(template: string, boot: Boot, parts: DocumentParts): string {
  const appName = boot.settings['general.appName'] ?? ''
  const title = parts.title === null ? appName : `${parts.title} – ${appName}`
  const values: Record<string, string> = {
    '<!--floe-boot-->': `<script id="floe-boot" type="application/json">${scriptJson(boot)}</script>`,
    __FLOE_LANG__: boot.language,
    __FLOE_DIR__: textDirection(boot.language),
    __FLOE_COLOR_SCHEME__: boot.colorScheme,
    __FLOE_LOGO__: logoTag(boot),
    __FLOE_TITLE__: escapeHtml(title),
    '<!--floe-meta-->': parts.meta.text,
    '<!--floe-files-->': parts.links.text,
    '<!--floe-styles-->': parts.styles.text,
    '<!--floe-first-paint-->': parts.firstPaint,
  }
  // One pass, so that a value that spells a placeholder stays text.
  return template.replace(
    /<!--floe-(?:boot|meta|files|styles|first-paint)-->|__FLOE_(?:LANG|DIR|COLOR_SCHEME|LOGO|TITLE)__/g,
    (placeholder) => values[placeholder] ?? '',
  )
}

/** Behind the address of an icon, so that browsers ask for it anew when it is another. */
export function logoTag({ logo, version }: Pick<Boot, 'logo' | 'version'>): string {
  return encodeURIComponent(logo ?? version)
}

/** JSON that cannot end the script element it stands in, nor begin a comment in it. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
