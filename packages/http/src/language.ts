import { type Language, languages } from '@floe/contracts'
import type { IncomingMessage } from 'node:http'
import { parseCookies } from './cookies.ts'

export const LANGUAGE_COOKIE = 'language'

/**
 * The language of the requester: as they chose, else as their browser is set; `null` where that is
 * none of ours.
 */
export function requestLanguage(req: Pick<IncomingMessage, 'headers'>): Language | null {
  const chosen = parseCookies(req).get(LANGUAGE_COOKIE)
  return chooseLanguage(chosen, req.headers['accept-language'])
}

/** The cookie's language, else the most wanted one of `Accept-Language` (RFC 9110 §12.5.4). */
export function chooseLanguage(
  cookie: string | undefined,
  acceptLanguage: string | undefined,
): Language | null {
  const wanted = [cookie ?? '', ...byWeight(acceptLanguage ?? '')]
  for (const tag of wanted) {
    const match = bestMatch(tag)
    if (match !== undefined) return match
  }
  return null
}

export function textDirection(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** The exact code, else one of the same language, in the same script where there are several. */
function bestMatch(tag: string): Language | undefined {
  const exact = languages.find((language) => language.toLowerCase() === tag.toLowerCase())
  if (exact !== undefined) return exact
  const wanted = parseLocale(tag)
  const related = languages.filter(
    (language) => parseLocale(language)?.language === wanted?.language,
  )
  return related.find((language) => parseLocale(language)?.script === wanted?.script) ?? related[0]
}

/** With its likely script: Hong Kong writes Chinese as Taiwan does. */
function parseLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    // Not a language tag.
    return undefined
  }
}

function byWeight(header: string): string[] {
  return header
    .split(',')
    .map((item) => {
      const [tag = '', quality = ''] = item.split(';').map((part) => part.trim())
      const weight = quality.startsWith('q=') ? Number(quality.slice(2)) : 1
      return { tag, weight: Number.isFinite(weight) ? weight : 0 }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}
