/** Conditional requests, RFC 9110 §13. */

export interface RequestHeaders {
  readonly [name: string]: string | string[] | undefined
}

export interface Validators {
  /** Strong entity tag with its quotes. */
  etag: string
  lastModifiedAt: Date
}

export type Precondition = 'proceed' | 'not_modified' | 'failed'

/** In the order of §13.2.2; `If-Range` is apart because it only decides about `Range`. */
export function evaluatePreconditions(
  headers: RequestHeaders,
  validators: Validators,
): Precondition {
  const ifMatch = headerOf(headers, 'if-match')
  const ifUnmodifiedSince = dateOf(headers, 'if-unmodified-since')
  if (ifMatch !== undefined) {
    if (!listsTag(ifMatch, validators.etag, 'strong')) return 'failed'
  } else if (ifUnmodifiedSince !== null && secondsOf(validators) > ifUnmodifiedSince) {
    return 'failed'
  }
  const ifNoneMatch = headerOf(headers, 'if-none-match')
  const ifModifiedSince = dateOf(headers, 'if-modified-since')
  if (ifNoneMatch !== undefined) {
    if (listsTag(ifNoneMatch, validators.etag, 'weak')) return 'not_modified'
  } else if (ifModifiedSince !== null && secondsOf(validators) <= ifModifiedSince) {
    return 'not_modified'
  }
  return 'proceed'
}

/** Whether `Range` may be obeyed: the part the client holds is of this very representation. */
export function mayContinueRange(headers: RequestHeaders, validators: Validators): boolean {
  const condition = headerOf(headers, 'if-range')?.trim()
  if (condition === undefined) return true
  if (condition.endsWith('"')) return condition === validators.etag
  // §13.1.5: a date must match exactly, not merely be later.
  return parseDate(condition) === secondsOf(validators)
}

function listsTag(header: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true
  // An entity tag may contain commas, so tags are matched and not split apart.
  for (const [, weakness, opaque] of header.matchAll(/(W\/)?("[^"]*")/g)) {
    if (opaque === etag && (comparison === 'weak' || weakness === undefined)) return true
  }
  return false
}

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function dateOf(headers: RequestHeaders, name: string): number | null {
  return parseDate(headerOf(headers, name))
}

function parseDate(text: string | undefined): number | null {
  const time = text === undefined ? NaN : Date.parse(text)
  return Number.isNaN(time) ? null : Math.floor(time / 1000)
}

/** Header dates carry whole seconds. */
function secondsOf({ lastModifiedAt }: Validators): number {
  return Math.floor(lastModifiedAt.getTime() / 1000)
}
