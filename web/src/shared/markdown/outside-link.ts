/** Addresses that a reader of a text may be led to; everything else in it leads nowhere. */
export function outsideLink(href: string): string | null {
  if (!URL.canParse(href)) return null
  const url = new URL(href)
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
}
