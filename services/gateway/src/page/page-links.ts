import type { PageFiles } from '@floe/contracts'
import type { Boot } from './boot.ts'
import { html, type Markup } from './markup.ts'

/**
 * Announces what the page at a path consists of, beyond the app, which the built document names
 * itself: so all of it travels at once instead of one discovering the next. Scripts come behind
 * the styles, with which the document has something to show already.
 */
export function renderPageLinks(
  { pages, password, texts }: PageFiles,
  path: string,
  { language, share }: Pick<Boot, 'language' | 'share'>,
): Markup {
  const page = pages.find(({ pattern }) => new RegExp(pattern).test(path))
  const files = [
    ...(page?.files ?? []),
    ...(share?.refusal === 'share_password_required' ? password : []),
    ...(texts[language]?.frame ?? []),
    ...(page?.needsAllTexts ? (texts[language]?.rest ?? []) : []),
  ]
  const links = [...new Set(files)].map((file) =>
    file.endsWith('.css')
      ? html`<link rel="stylesheet" crossorigin href="${file}" />`
      : html`<link rel="modulepreload" fetchpriority="low" crossorigin href="${file}" />`,
  )
  return html`${links}`
}
