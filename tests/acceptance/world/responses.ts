import { appendFileSync } from 'node:fs'
import { expect, inject } from 'vitest'
import type { NotedResponse } from './compare-responses.ts'
import type { HttpResponse } from './http-client.ts'

type Blurs = readonly [pattern: RegExp, kind: string][]

/** Members of responses that are an installation's own. */
const installations: Blurs = [
  [/\b(?:127\.0\.0\.1|localhost):\d+/g, 'HOST'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, 'DATE'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'UUID'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'JWT'],
  [/(?<=\/api\/uploads\/)[\w-]{16,}/g, 'UPLOAD'],
  [/(?<="(?:device_code|challenge)":")[\w-]+|\b[B-Z]{4}-[B-Z]{4}\b/g, 'CODE'],
  [/(?<=nonce[-=]"?)[\w+/=-]{16,}/g, 'NONCE'],
  [/(?<=(?:token|device)=|"refreshToken":")[\w.-]{16,}/g, 'TOKEN'],
]

/** Those of one test. */
const tests: Blurs = [
  ...installations,
  [/\bshare_[\w-]+_owner_token\b/g, 'COOKIE'],
  [/\bshare-[\w-]{6,}/g, 'SHARE'],
  [/\b(?:user|hostile)_[\da-f]+/g, 'NAME'],
  [/\d{3,}/g, 'NUMBER'],
  [/(?<![\w-])[\w-]{10,}(?![\w-])(?<=\d[\w-]*)/g, 'RANDOM'],
]

function blurBy(blurs: Blurs, text: string): string {
  return blurs.reduce((rest, [pattern, kind]) => rest.replaceAll(pattern, kind), text)
}

/** Without what differs from one installation to another. */
export function blur(text: string): string {
  return blurBy(installations, text)
}

/** Of the connection, which is another to each. */
const connections = ['connection', 'keep-alive', 'date']

export function namesAndValues({ rawHeaders }: HttpResponse): [name: string, value: string][] {
  return rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 1 || connections.includes(name.toLowerCase())
      ? []
      : [[name, rawHeaders[index + 1] ?? '']],
  )
}

/** What depends on how far a job has come. */
const progressHeaders = ['repr-digest']
const progressMembers = ['sha256', 'thumbnail', 'progress', 'audit_entries', 'download_counts']

/** Whose values follow from what was sent, or from chance. */
const ownValues = [
  'content-disposition',
  'content-length',
  'content-md5',
  'content-range',
  'content-security-policy',
  'etag',
  'location',
  'retry-after',
  'set-cookie',
  'upload-offset',
  'x-request-id',
  'x-total-count',
]

/**
 * Keeps what kind of a response it is, for the comparison once all tests are done. Hooks ask for what
 * their file needs, which is not the same in both.
 */
export function noteResponse(url: string, { method, path }: Call, response: HttpResponse): void {
  const floe = inject('floes')?.find((one) => one.url === url)
  const { currentTestName: test = '' } = expect.getState()
  if (floe === undefined || test === '') return
  const place = blurBy(tests, path.split('?')[0] ?? '')
  const code = String(response.headers['x-error-code'] ?? '')
  const noted: NotedResponse = {
    test: test.replaceAll(/embedded|split/g, ''),
    kind: [method, place, response.status, code].join(' ').trimEnd(),
    headers: namesAndValues(response)
      .filter(([name]) => !progressHeaders.includes(name.toLowerCase()))
      .map(([name, value]) =>
        ownValues.includes(name.toLowerCase()) ? name : `${name}: ${blurBy(tests, value)}`,
      ),
    body: describeBody(response),
  }
  appendFileSync(floe.responsesFile, `${JSON.stringify(noted)}\n`)
}

interface Call {
  method: string
  path: string
}

/** Refusals word by word, other JSON by the names and order of its members; files are their tests' own. */
function describeBody({ status, headers, body, text }: HttpResponse): string {
  if (!(headers['content-type'] ?? '').includes('json') || text === '') return ''
  return status >= 400 ? blurBy(tests, text) : JSON.stringify(shapeOf(body))
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !progressMembers.includes(name))
      .map(([name, member]) => [name, shapeOf(member)]),
  )
}
