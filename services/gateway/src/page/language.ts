/** Languages the web application is shipped in; the first is the fallback. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

/** The cookie's language, else the most wanted one of `Accept-Language`, else the fallback. */
export function chooseLanguage(
  cookie: string | undefined,
  acceptLanguage: string | undefined,
  available: readonly string[] = languages,
): string {
  const wanted = [cookie ?? '', ...byWeight(acceptLanguage ?? '')]
  for (const tag of wanted) {
    const match = bestMatch(tag, available)
    if (match !== undefined) return match
  }
  return available[0] ?? 'en'
}

export function textDirection(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(primaryTag(language)) ? 'rtl' : 'ltr'
}

// The exact code, else the first of the same language.
function bestMatch(tag: string, available: readonly string[]): string | undefined {
  if (tag === '') return undefined
  return (
    available.find((language) => language.toLowerCase() === tag.toLowerCase()) ??
    available.find((language) => primaryTag(language) === primaryTag(tag))
  )
}

function primaryTag(tag: string): string {
  return (tag.split('-', 1)[0] ?? '').toLowerCase()
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
