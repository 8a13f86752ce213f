import type { Settings } from './config-catalogue.ts'

/** As names of hosts are compared: in lower case, and beyond ASCII by RFC 5891. `null`: none. */
function toAscii(domain: string): string | null {
  const url = `http://${domain}`
  if (!URL.canParse(url)) return null
  const { hostname, href } = new URL(url)
  return href === `http://${hostname}/` ? hostname : null
}

/** `example.org`, or `*.example.org` for all below it. */
function readPattern(pattern: string): { domain: string; isBelow: boolean } | null {
  const isBelow = pattern.startsWith('*.')
  const domain = toAscii(isBelow ? pattern.slice(2) : pattern)
  return domain === null || domain.includes('*') ? null : { domain, isBelow }
}

export function splitEmailDomains(text: string): string[] {
  return text.split(/[\s,;]+/).filter((pattern) => pattern !== '')
}

export function isEmailDomainPattern(pattern: string): boolean {
  return readPattern(pattern) !== null
}

function isListed(list: string, domain: string): boolean {
  return splitEmailDomains(list).some((text) => {
    const pattern = readPattern(text)
    if (pattern === null) return false
    return pattern.isBelow ? domain.endsWith(`.${pattern.domain}`) : domain === pattern.domain
  })
}

/** Whether people may choose this address for their account. */
export function isEmailDomainAllowed(
  settings: Pick<Settings, 'general.allowedEmailDomains' | 'general.refusedEmailDomains'>,
  email: string,
): boolean {
  const written = email.slice(email.lastIndexOf('@') + 1)
  const domain = toAscii(written) ?? written.toLowerCase()
  const allowed = settings['general.allowedEmailDomains']
  if (isListed(settings['general.refusedEmailDomains'], domain)) return false
  return splitEmailDomains(allowed).length === 0 || isListed(allowed, domain)
}
