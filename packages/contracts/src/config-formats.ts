import { z } from 'zod'
import { isEmailDomainPattern, splitEmailDomains } from './email-domains.ts'

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })

export function splitLdapUrls(text: string): string[] {
  return text.split(/[\s,]+/).filter((url) => url !== '')
}

/** Scheme, host and port alone: what is searched is a matter of other settings. */
function isLdapUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(url)
  const isBare = pathname === '' || pathname === '/'
  const rest = search + hash + username + password
  return /^ldaps?:$/.test(protocol) && hostname !== '' && isBare && rest === ''
}

/** What a text of a setting must look like; an empty one is no text but the default. */
export const configFormats = {
  url: httpUrl,
  /** Paths are appended to it, so it ends without a slash. */
  'base-url': httpUrl
    .refine((url) => !/[?#]/.test(url), 'must not contain ? or #')
    .transform((url) => url.replace(/\/+$/, '')),
  /** As browsers judge it: mail servers inside a network often have names without a dot. */
  email: z.email({ pattern: z.regexes.html5Email, error: 'must be an e-mail address' }),
  /** A repository's owner and name. */
  repository: z
    .string()
    .regex(/^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/, 'must be of the form owner/name'),
  /** As a field for colors writes it. */
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #1b7ea6')
    .transform((color) => color.toLowerCase()),
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/, 'may contain letters, digits, dots and hyphens only'),
  'ldap-urls': z
    .string()
    .refine(
      (text) => splitLdapUrls(text).every(isLdapUrl),
      'must be addresses such as ldaps://ldap.example.org, separated by spaces',
    ),
  'email-domains': z
    .string()
    .refine(
      (text) => splitEmailDomains(text).every(isEmailDomainPattern),
      'must be domains such as example.org or *.example.org, separated by commas',
    ),
  'ldap-query': z.string().includes('%username%', { error: 'must contain %username%' }),
  'ldap-attribute': z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be the name of an attribute'),
  certificates: z
    .string()
    .regex(
      /^(?:\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----)+\s*$/,
      'must be certificates in PEM form',
    ),
} as const satisfies Record<string, z.ZodType<string, string>>

export type ConfigFormat = keyof typeof configFormats
