import type { PageClasses } from '@floe/contracts'
import type { Boot } from './boot.ts'
import { html, type Markup, nothing } from './markup.ts'
import { renderPlainShare, renderShareHead } from './plain-share.ts'
import type { SharePage } from './share-page.ts'
import { isShownToStrangers } from './strangers.ts'
import type { Words } from './words.ts'

export interface FirstPaintOf {
  path: string
  boot: Boot
  share: SharePage | null
  words: Words
  /** What the build calls the classes of the application. */
  classes: PageClasses
}

/** The settings draw without a bar. */
const hasNoBar = /^\/admin\/config\//

/**
 * The bar and the heading of a page, where and as the application draws them: the document shows
 * what it is about before a script has come, and where none ever runs.
 */
export function renderFirstPaint(page: FirstPaintOf): Markup {
  if (hasNoBar.test(page.path)) return nothing
  return html`${renderBar(page)}${renderMain(page)}`
}

function renderBar({ boot, classes }: FirstPaintOf): Markup {
  return html`<header class="${classes['NavigationBar.header']}">
    <div class="${classes['NavigationBar.inner']}">
      <a class="${classes['NavigationBar.brand']}" href="/"
        >${renderLogo(boot, 35)}<span>${boot.settings['general.appName'] ?? ''}</span></a
      >
    </div>
  </header>`
}

const logoPixels = [48, 72, 144, 192, 384]

/** It says nothing that does not stand beside it. */
function renderLogo({ logo }: Boot, edge: number, className = ''): Markup {
  const tag = logo === null ? '' : `?v=${encodeURIComponent(logo)}`
  const sources = logoPixels
    .map((pixels) => `/img/icons/icon-${pixels}x${pixels}.png${tag} ${pixels}w`)
    .join(', ')
  return html`<img
    src="/img/logo.png${tag}"
    srcset="${sources}"
    sizes="${edge}px"
    alt=""
    width="${edge}"
    height="${edge}"
    class="${className}"
  />`
}

function renderMain(page: FirstPaintOf): Markup {
  const { path, boot, share, words } = page
  if (share !== null) return renderShare(page, share)
  const isStranger = boot.user === null && boot.accessTokenExpiresAt === null
  if (path === '/upload' && !isStranger) return renderUpload(page)
  if (!isStranger || !isShownToStrangers(path, boot.settings)) return nothing
  switch (path) {
    case '/':
      return renderHome(page)
    case '/auth/signIn':
      return renderAuth(page, words.say('auth.signIn.title'))
    case '/auth/signUp':
      return renderAuth(page, words.say('auth.signUp.title'))
    case '/upload':
      return renderUpload(page)
    default:
      return nothing
  }
}

function renderShare({ words, classes }: FirstPaintOf, share: SharePage): Markup {
  return html`<main class="${classes['Page.page']}" data-width="regular">
    ${renderShareHead(share, words, classes)}
    <noscript><div class="plain">${renderPlainShare(share, words)}</div></noscript>
  </main>`
}

function renderHome({ boot, words, classes }: FirstPaintOf): Markup {
  return html`<main class="${classes['HomePage.page']}">
    <div class="${classes['HomePage.hero']}">
      <div class="${classes['HomePage.words']}">
        <h1 class="first-paint-heading ${classes['HomePage.headline']}">
          ${words.say('home.headline')}
        </h1>
        <p class="first-paint-lead">${words.say('home.description')}</p>
        <div class="first-paint-actions ${classes['HomePage.actions']}"></div>
      </div>
      ${boot.logo === null ? renderSky(classes) : renderLogo(boot, 200, classes['HomePage.logo'])}
    </div>
  </main>`
}

/** Of the drawing, which comes with the application. */
const renderSky = (classes: PageClasses) =>
  html`<svg class="${classes['HeroArt.art']}" viewBox="0 0 520 400" aria-hidden="true">
    <rect width="520" height="400" class="${classes['HeroArt.sky']}" />
  </svg>`

function renderAuth({ boot, classes }: FirstPaintOf, title: string): Markup {
  return html`<main class="${classes['Page.page']}" data-width="narrow">
    <div class="${classes['AuthCard.head']}">
      ${renderLogo(boot, 56, classes['AuthCard.logo'])}
      <h1 class="first-paint-heading">${title}</h1>
    </div>
  </main>`
}

function renderUpload({ boot, words, classes }: FirstPaintOf): Markup {
  const maxBytes = boot.settings['share.maxSize'] ?? 0
  const hint =
    maxBytes > 0
      ? words.say('upload.drop.hintWithLimit', { maxSize: words.size(maxBytes) })
      : words.say('upload.drop.hint')
  return html`<main class="${classes['Page.page']}" data-width="regular">
    <div class="first-paint-row">
      <h1 class="first-paint-heading">${words.say('upload.title')}</h1>
    </div>
    <div class="first-paint-room ${classes['FileDrop.zone']}">
      <div class="${classes['FileDrop.content']}">
        <div class="${classes['Art.art']}"></div>
        <h2 class="${classes['FileDrop.title']}">${words.say('upload.drop.title')}</h2>
        <p class="first-paint-about">${hint}</p>
      </div>
    </div>
  </main>`
}
