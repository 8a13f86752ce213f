import { findPage, isListed, type PageShell, type PageView } from '@floe/contracts'
import { html, type Markup } from './markup.ts'
import { logoTag } from './render-page.ts'

export interface PreviewedPage extends PageView {
  shell: Pick<PageShell, 'title' | 'siteDescription' | 'shareSummary'>
  /** The site's address, without a slash at its end. */
  base: string
  /** It was set, and not told by the client. */
  isBaseKnown: boolean
}

/**
 * What messengers and search engines show of a link (Open Graph, which Twitter's cards fall back
 * to). It tells no more about a share than everybody may know who has the link, and nothing about
 * one that does not open to everybody.
 */
export function renderPreviewTags(page: PreviewedPage): Markup {
  const { boot, share, shell, base, isBaseKnown, path } = page
  const siteName = boot.settings['general.appName'] ?? ''
  const description = share === null ? shell.siteDescription : shell.shareSummary
  const properties: [string, string | null][] = [
    ['og:site_name', siteName],
    ['og:type', 'website'],
    ['og:title', share?.preview ? shell.title : siteName],
    ['og:description', description],
    // The path of other pages may be somebody's capability.
    ['og:url', isBaseKnown && (share !== null || findPage(path) === 'home') ? base + path : null],
    ['og:image', `${base}/img/logo.png?v=${logoTag(boot)}`],
  ]
  const tags = properties.flatMap(([property, content]) =>
    content === null ? [] : [html`<meta property="${property}" content="${content}" />`],
  )
  const robots = isListed(path, boot.settings)
    ? html`<link rel="canonical" href="${base + path}" />`
    : html`<meta name="robots" content="noindex" />`
  const summary = description ?? shell.siteDescription
  return html`${robots}<meta name="description" content="${summary}" />${tags}
    <meta name="twitter:card" content="summary" />`
}
