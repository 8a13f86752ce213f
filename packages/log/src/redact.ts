/** What a field must not be called if its value is to be seen. */
const secretName =
  /pass(?:word|phrase|wd)|secret|token|authorization|cookie|credential|api-?key|recoverycode|bindings/i

const deepest = 6
const censored = '[redacted]'

/**
 * The fields of a log line as they may be seen: values of telling names are left out at any depth,
 * and of errors only what is known to be harmless is kept, since libraries hang requests, responses
 * and SQL values onto theirs.
 */
export function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  return redactMembers(fields, 0)
}

function redactMembers(value: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretName.test(name) && !isPlain(member) ? censored : redact(member, depth + 1),
    ]),
  )
}

/** Nothing to hide: `hasPassword: true`, `tokens: 3`, `token: null`. */
function isPlain(value: unknown): boolean {
  return value === null || value === undefined || ['boolean', 'number'].includes(typeof value)
}

function redact(value: unknown, depth: number): unknown {
  if (value instanceof Error) return presentError(value, depth)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (value instanceof URL) return value.href
  if (depth >= deepest || ArrayBuffer.isView(value)) return '[not shown]'
  if (Array.isArray(value)) return value.map((member: unknown) => redact(member, depth + 1))
  return redactMembers(value, depth)
}

/** Members of errors that tell what went wrong and nothing of what was sent. */
const harmless = ['code', 'detail', 'status', 'syscall', 'address', 'port', 'constraint', 'table']

function presentError(error: Error, depth: number): Record<string, unknown> {
  const kept = harmless
    .map((name): [string, unknown] => [name, Reflect.get(error, name)])
    .filter(([, value]) => ['string', 'number'].includes(typeof value))
    // PostgreSQL's detail quotes the row.
    .filter(([name]) => name !== 'detail' || error.name === 'AppError')
  return {
    type: error.name,
    message: error.message,
    ...Object.fromEntries(kept),
    stack: error.stack,
    ...(error.cause !== undefined && depth < deepest && { cause: redact(error.cause, depth + 1) }),
  }
}

/** What no line may hold under any name: in sentences, stacks and addresses. */
const forbidden: readonly [pattern: RegExp, replacement: string][] = [
  // JSON Web Tokens (RFC 7519).
  [/\beyJ[\w-]{6,}\.[\w-]+\.[\w-]*/g, censored],
  [/\b(Bearer|Basic) [\w.~+/=-]{6,}/g, `$1 ${censored}`],
  // Name and password of an address (RFC 3986 §3.2.1).
  [/:\/\/[^\s/"'@\\]{1,300}@/g, `://${censored}@`],
  // Queries carry codes, states and tokens.
  [/((?::\/)?\/[^\s"'?\\]{0,300}\?)[^\s"'\\]+/g, `$1${censored}`],
  // The segment after these opens something: an upload, an account, a reverse share.
  [
    /(\/api\/uploads|\/api\/reverseShares(?:\/isReverseShareTokenAvailable)?|\/auth\/(?:resetPassword|totp|verify)|\/upload)\/(?!:)[^\s"'/?\\]+/gi,
    `$1/${censored}`,
  ],
]

/** A line of the log as it may be written. It stays the JSON it was: no quote or escape is touched. */
export function redactLine(line: string): string {
  return forbidden.reduce((text, [pattern, shown]) => text.replace(pattern, shown), line)
}
