import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'
import type { HttpResponse, SendOptions } from './http-client.ts'

/** Shorter ones, such as codes of six digits, stand in a log for many other reasons. */
const SHORTEST = 10

const secretName = /pass(?:word|phrase)|secret|token|recoveryCodes/i
/** What comes after these in a path opens something, unless it is a reverse share's plain id. */
const capability =
  /\/(?:uploads|resetPassword|totp|reverseShares|upload|verify)\/(?![\da-f]{8}-)([\w-]+)(?=[/?]|$)/

const noted = new Set<string>()

/**
 * Keeps every secret that a client sent or was given, for the search of the logs once all tests are
 * done: passwords, tokens, cookies, and addresses that open something.
 */
export function noteSecrets(
  url: string,
  sent: SendOptions & { path: string },
  response: HttpResponse,
) {
  const file = inject('floes')?.find((floe) => floe.url === url)?.secretsFile
  if (file === undefined) return
  const headers = [sent.headers?.['Cookie'], ...(response.headers['set-cookie'] ?? [])]
  const found = [
    ...membersOf(sent.json),
    ...membersOf(response.body),
    ...headers.flatMap(cookieValues),
    ...[sent.path, response.headers.location].map((path) => capability.exec(path ?? '')?.[1]),
  ]
  const fresh = found.filter((secret) => secret !== undefined && isTelling(secret))
  for (const secret of new Set(fresh)) {
    if (secret === undefined || noted.has(secret)) continue
    noted.add(secret)
    appendFileSync(file, `${secret}\n`)
  }
}

/**
 * Not what stands in logs for reasons of its own: words of the language (`constructor`) and the ids of
 * shares, which hostile requests send in place of every credential.
 */
function isTelling(text: string): boolean {
  if (text.length < SHORTEST || text.length > 4_000 || /[\n"\\:]/.test(text)) return false
  return (/\d/.test(text) || text.length > 16) && !text.startsWith('share-')
}

function membersOf(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((member) => membersOf(member, isSecret))
  // A setting: its name is told by `key`.
  const { key, value: setting } = value as { key?: unknown; value?: unknown }
  if (typeof key === 'string') return membersOf(setting, /password|clientSecret/i.test(key))
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, secretName.test(name)))
}

function cookieValues(header: string | undefined): string[] {
  return (header ?? '').split(/; */).flatMap((pair) => {
    const [name = '', value] = pair.split('=', 2)
    return value !== undefined && /token$/i.test(name) ? [value] : []
  })
}
