import { type Boot, findPage, type PageFiles, pageRow } from '@floe/contracts'
import { html, type Markup } from './markup.ts'

/**
 * Announces what the page at a path consists of, beyond the app, which the built document names
 * itself: so all of it travels at once instead of one discovering the next. Scripts come behind
 * the styles, with which the document has something to show already.
 */
export function renderPageLinks(
  { pages, notFound, password, texts }: PageFiles,
  path: string,
  { language, share }: Pick<Boot, 'language' | 'share'>,
): Markup {
  const page = findPage(path)
  const needsAllTexts = page === null || pageRow(page).texts !== 'frame'
  const files = [
    ...(page === null ? notFound : (pages[page] ?? [])),
    ...(share?.refusal === 'share_password_required' ? password : []),
    ...(texts[language]?.frame ?? []),
    ...(needsAllTexts ? (texts[language]?.rest ?? []) : []),
  ]
  const links = [...new Set(files)].map((file) =>
    file.endsWith('.css')
      ? html`<link rel="stylesheet" crossorigin href="${file}" />`
      : html`<link rel="modulepreload" fetchpriority="low" crossorigin href="${file}" />`,
  )
  return html`${links}`
}
