import type { Boot } from './boot.ts'
import { html, type Markup } from './markup.ts'
import { nameOf, summaryOf } from './plain-share.ts'
import { logoTag } from './render-page.ts'
import type { SharePage } from './share-page.ts'
import { isShownToStrangers } from './strangers.ts'
import type { Words } from './words.ts'

export interface PreviewOf {
  boot: Boot
  share: SharePage | null
  words: Words
  /** The site's address, without a slash at its end. */
  base: string
  /** It was set, and not told by whoever asks. */
  isBaseKnown: boolean
  path: string
}

/**
 * What messengers and search engines show of a link (Open Graph, which Twitter's cards fall back
 * to). Of a share only what anybody may know who has the link; of one that does not open to
 * everybody no more than of one that never was.
 */
export function renderPreviewTags(page: PreviewOf): Markup {
  const { boot, share, words, base, isBaseKnown, path } = page
  const siteName = boot.settings['general.appName'] ?? ''
  const preview = share?.preview ?? null
  const title = share && preview ? (nameOf({ ...share, contents: null }) ?? siteName) : siteName
  const description =
    share === null
      ? words.say('home.description')
      : preview === null
        ? null
        : summaryOf(preview, words)
  const properties: [string, string | null][] = [
    ['og:site_name', siteName],
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
    // The path of other pages may be somebody's capability.
    ['og:url', isBaseKnown && (share !== null || path === '/') ? base + path : null],
    ['og:image', `${base}/img/logo.png?v=${logoTag(boot)}`],
  ]
  const tags = properties.flatMap(([property, content]) =>
    content === null ? [] : [html`<meta property="${property}" content="${content}" />`],
  )
  // Of any other page the address is somebody's own.
  const robots = isShownToStrangers(path, boot.settings)
    ? html`<link rel="canonical" href="${base + path}" />`
    : html`<meta name="robots" content="noindex" />`
  const summary = description ?? words.say('home.description')
  return html`${robots}<meta name="description" content="${summary}" />${tags}
    <meta name="twitter:card" content="summary" />`
}
