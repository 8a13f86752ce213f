import {
  type PageClasses,
  type ShareContents,
  sharePagePath,
  type SharePreview,
  visibleName,
} from '@floe/contracts'
import { html, type Markup, nothing } from './markup.ts'
import type { Refusal, SharePage } from './share-page.ts'
import type { Words } from './words.ts'

/** What a share is, as the application says it; nothing of one that does not open. */
export function renderShareHead(page: SharePage, words: Words, classes: PageClasses): Markup {
  const known = page.contents ?? page.preview
  if (known === null) return nothing
  const note = page.contents?.description
  return html`<div class="${classes['ShareContents.head']}">
    <div class="${classes['ShareContents.words']}">
      <h1 class="first-paint-heading ${classes['ShareContents.title']}">
        <bdi>${nameOf(page) ?? page.id}</bdi>
      </h1>
      ${note ? html`<bdi class="${classes['ShareContents.description']}">${note}</bdi>` : nothing}
      <p class="first-paint-about">
        ${summaryOf(known, words)} · ${describeEnd(known.expiresAt, words)}
      </p>
    </div>
  </div>`
}

/** How people without JavaScript get its files; of one that does not open, why. */
export function renderPlainShare(page: SharePage, words: Words): Markup {
  if (page.contents !== null) return renderContents(page.id, page.contents, words)
  if (page.preview !== null) return renderClosed(page, page.preview, words)
  if (page.refusal?.code === 'share_password_required') return renderPasswordForm(page, words)
  return renderDeadEnd(page, words)
}

/** What people call it. */
export function nameOf({ id, contents, preview }: SharePage): string | null {
  const known = contents ?? preview
  return known === null ? null : visibleName(known.name ?? id)
}

export function summaryOf({ fileCount, sizeBytes }: Measures, words: Words): string {
  return words.say('share.summary', { count: fileCount, size: words.size(sizeBytes) })
}

interface Measures {
  fileCount: number
  sizeBytes: number
}

/** In the time of the world, until a script knows the visitor's. */
function describeEnd(expiresAt: string | null, words: Words): string {
  return expiresAt === null
    ? words.say('share.neverExpires')
    : words.say('share.expiresOn', { date: words.date(expiresAt) })
}

function filesPath(id: string): string {
  return `/api/shares/${encodeURIComponent(id)}/files`
}

function renderContents(id: string, contents: ShareContents, words: Words): Markup {
  const { files, fileCount } = contents
  const rows = files.map(
    (file) =>
      html`<li>
        <a href="${filesPath(id)}/${encodeURIComponent(file.id)}" download
          ><bdi>${visibleName(file.name)}</bdi></a
        >
        <span class="size"><bdi>${words.size(file.sizeBytes)}</bdi></span>
      </li>`,
  )
  const left = fileCount - files.length
  const more = html`<p>
    <a href="${sharePagePath(id)}?show=all">${words.say('share.folders.more', { count: left })}</a>
  </p>`
  return html`${fileCount > 1 ? renderDownload(id, contents, words) : nothing}
    <ul class="panel">
      ${rows}
    </ul>
    ${left > 0 ? more : nothing}`
}

/** Following it is a view, unless it was opened before; crawlers are asked not to. */
function renderDownload(id: string, { fileCount, download }: SharePreview, words: Words): Markup {
  if (download === null) return html`<p>${words.say('share.preparing')}</p>`
  const text = words.say(fileCount === 1 ? 'share.preview.download' : 'share.downloadAll')
  return html`<p>
    <a class="button" href="${filesPath(id)}/${download}" rel="nofollow" download>${text}</a>
  </p>`
}

/** Opening it is a view, so it takes a press: whoever only fetches the page does not count. */
function renderClosed(page: SharePage, preview: SharePreview, words: Words): Markup {
  return html`${renderFormRefusal(page, words)} ${renderDownload(page.id, preview, words)}
  ${renderForm(page.id, nothing, words)}`
}

function renderPasswordForm(page: SharePage, words: Words): Markup {
  const field = html`<label for="plain-password">${words.say('share.password.label')}</label>
    <input
      id="plain-password"
      type="password"
      name="password"
      autocomplete="off"
      maxlength="1024"
      required
    />`
  return html`<h1>${words.say('share.password.title')}</h1>
    <p class="dimmed">${words.say('share.password.text')}</p>
    ${renderFormRefusal(page, words)} ${renderForm(page.id, field, words)}`
}

function renderForm(id: string, fields: Markup, words: Words): Markup {
  return html`<form method="post" action="/api/shares/${encodeURIComponent(id)}/open">
    ${fields}<button class="button">${words.say('share.password.submit')}</button>
  </form>`
}

function renderFormRefusal({ formRefusal }: SharePage, words: Words): Markup {
  if (formRefusal === null) return nothing
  const text = words.say(
    formRefusal === 'wrong_password' ? 'share.password.invalid' : 'errors.tooManyRequests',
  )
  return html`<p class="error" role="alert">${text}</p>`
}

function renderDeadEnd({ id, refusal }: SharePage, words: Words): Markup {
  const { title, text } = describeRefusal(refusal, words)
  const isKnown = refusal?.code !== null
  const exit = isKnown
    ? html`<a class="button" href="/">${words.say('notFound.home')}</a>`
    : html`<a class="button" href="${sharePagePath(id)}">${words.say('common.tryAgain')}</a>`
  return html`<h1>${title}</h1>
    <p class="dimmed"><bdi>${text}</bdi></p>
    <p>${exit}</p>`
}

function describeRefusal(refusal: Refusal | null, words: Words): { title: string; text: string } {
  const told = (kind: 'views' | 'notFound' | 'private' | 'unknown') => ({
    title: words.say(`share.deadEnd.${kind}.title`),
    text: words.say(`share.deadEnd.${kind}.text`),
  })
  switch (refusal?.code) {
    case 'share_max_views_exceeded':
      return told('views')
    case 'share_not_found':
      return told('notFound')
    case 'private_share':
      return told('private')
    case 'share_removed':
      // The reason is what whoever removed it wrote.
      return { title: words.say('share.deadEnd.removed.title'), text: refusal.message }
    default:
      return told('unknown')
  }
}
