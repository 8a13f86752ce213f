import type { Settings } from './config-catalogue.ts'
import { type PageName, pagePath } from './pages.ts'

/** What the law may ask a site to tell, by the page that tells it. */
const legalSettings = {
  imprint: { text: 'legal.imprintText', url: 'legal.imprintUrl' },
  privacy: { text: 'legal.privacyPolicyText', url: 'legal.privacyPolicyUrl' },
} as const satisfies Partial<Record<PageName, { text: keyof Settings; url: keyof Settings }>>

export type LegalPage = keyof typeof legalSettings

type LegalSettings = Pick<Settings, Extract<keyof Settings, `legal.${string}`>>

export function isLegalPage(page: PageName | null): page is LegalPage {
  return page !== null && Object.hasOwn(legalSettings, page)
}

/** Markdown, which comes first, or where it stands elsewhere; `null` where nothing was written. */
export function findLegal(
  page: LegalPage,
  settings: LegalSettings,
): { text: string } | { url: string } | null {
  if (!settings['legal.enabled']) return null
  const text = settings[legalSettings[page].text]
  if (text.trim() !== '') return { text }
  const url = settings[legalSettings[page].url]
  return url === '' ? null : { url }
}

/** Where each leads to, `null` for one that there is not. */
export type LegalLinks = Record<LegalPage, string | null>

export function legalLinks(settings: LegalSettings): LegalLinks {
  const linkTo = (page: LegalPage) => {
    const legal = findLegal(page, settings)
    return legal && ('url' in legal ? legal.url : pagePath(page))
  }
  return { imprint: linkTo('imprint'), privacy: linkTo('privacy') }
}
