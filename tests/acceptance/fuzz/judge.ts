import {
  DIRECT_UPLOAD_PATH,
  ERROR_CODE_HEADER,
  type ErrorCode,
  errorResponseSchema,
  errorEntry,
  isErrorCode,
  type RouteContract,
  routes,
} from '@floe/contracts'
import type { WireRequest, WireResponse } from './send.ts'

const SLOWEST_MS = 5_000

/** Whose body has members of its own: the code is in the header alone. */
const fixedBodies: Record<string, readonly string[]> = {
  share_too_large: ['statusCode', 'message'],
  chunk_too_large: ['statusCode', 'message'],
  too_many_requests: ['statusCode', 'message'],
  unexpected_chunk_index: ['message', 'error', 'expectedChunkIndex'],
}

/** Texts of the inside: no request says any of them. */
const traces = [/\n\s+at .+:\d+:\d+/, /node_modules/, /\bfile:\/\/\//, /\bknex\b|\bpg_/]

/** Literal paths before those with parameters, as the server looks for them. */
const patterns = Object.values<RouteContract>(routes)
  .sort((a, b) => a.path.split(':').length - b.path.split(':').length)
  .map((contract) => ({
    contract,
    pattern: new RegExp(`^${contract.path.replaceAll(/:\w+/g, '[^/]+')}/*$`),
  }))

/** The call that this request is, whatever it was planned as. */
function contractOf({ method, path }: WireRequest): RouteContract | undefined {
  const wanted = method === 'HEAD' ? ['head', 'get'] : [method.toLowerCase()]
  const [sent = ''] = path.split(/[?#]/, 1)
  return patterns.find(
    ({ contract, pattern }) => wanted.includes(contract.method) && pattern.test(sent),
  )?.contract
}

export interface Judged extends WireResponse {
  wire: WireRequest
  /** Paths of this machine. */
  secretPaths: readonly string[]
}

/** What is wrong with a response, a sentence each. */
export function judge(response: Judged): string[] {
  const { status, elapsedMs, headers, bytes, secretPaths } = response
  const text = bytes.toString()
  return [
    ...(status >= 500 ? [`status ${status}`] : []),
    ...(elapsedMs > SLOWEST_MS ? [`took ${Math.round(elapsedMs)} ms`] : []),
    ...(headers['x-injected'] === undefined ? [] : ['a header was injected']),
    ...traces.filter((trace) => trace.test(text)).map((trace) => `shows ${trace.source}`),
    ...secretPaths.filter((path) => text.includes(path)).map((path) => `shows ${path}`),
    ...(status >= 400 ? judgeError(response, text) : judgeSuccess(response, text)),
  ]
}

/** Of what every call is told before it is known which one it is, or that none takes such a body. */
const generalCodes: ReadonlySet<ErrorCode> = new Set([
  ...(['validation_failed', 'invalid_json', 'invalid_path', 'payload_too_large'] as const),
  // Also where a literal path without this method comes before one with a parameter.
  ...(['unsupported_media_type', 'cross_site_request', 'route_not_found'] as const),
])

function judgeError(response: Judged, text: string): string[] {
  const { status, headers, wire } = response
  const contract = contractOf(wire)
  // A condition that bytes do not meet, as RFC 9110 has it.
  if (status === 412 && contract?.response === 'bytes' && text === '') return []
  const code = headers[ERROR_CODE_HEADER.toLowerCase()]
  if (!isErrorCode(code)) return [`status ${status} with the code ${String(code)}`]
  const expected = errorEntry(code).status
  if (expected !== status) return [`status ${status} for ${code}, which is ${expected}`]
  if (contract && !generalCodes.has(code) && !contract.errors?.includes(code)) {
    return [`${code}, which the description of ${contract.path} does not name`]
  }
  if (wire.method === 'HEAD') return text === '' ? [] : ['a body after HEAD']
  return judgeErrorBody(code, response, text)
}

function judgeErrorBody(
  code: ErrorCode,
  { status, headers, wire }: Judged,
  text: string,
): string[] {
  if (new RegExp(`^${DIRECT_UPLOAD_PATH}(?:[/?]|$)`).test(wire.path)) {
    // For a terminal.
    const isLine = headers['content-type']?.startsWith('text/plain') && /^[^\r\n]+\n$/.test(text)
    if (isLine) return []
  }
  const body = readJson(jsonOf(headers['content-type'], text))
  if (body === undefined) return [`an error that is no JSON: ${text.slice(0, 200)}`]
  const fixed = fixedBodies[code]
  if (fixed) {
    const names = Object.keys(body as object)
    return sameNames(names, fixed) ? [] : [`${code} with the members ${names.join()}`]
  }
  const parsed = errorResponseSchema.safeParse(body)
  if (!parsed.success) return [`an error of another shape: ${text.slice(0, 200)}`]
  const { statusCode, code: told } = parsed.data
  return statusCode === status && told === code ? [] : [`${code} is told as ${statusCode} ${told}`]
}

/** Nothing of any other type. */
function jsonOf(type: string | undefined, text: string): string {
  return type?.startsWith('application/json') ? text : ''
}

function sameNames(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && others.every((name) => names.includes(name))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function judgeSuccess({ status, headers, wire }: Judged, text: string): string[] {
  const contract = contractOf(wire)
  if (wire.method === 'HEAD' && text !== '') return ['a body after HEAD']
  if (!contract) {
    // The page that asks whether to delete is at the address that deletes.
    const isPage = wire.method === 'HEAD' && wire.path.startsWith('/delete/')
    return isPage || wire.method === 'OPTIONS' ? [] : [`status ${status} where no call is`]
  }
  if (wire.method === 'HEAD') return []
  if (contract.method === 'get' && status === 304) return []
  if (!allowedStatuses(contract).includes(status)) {
    return [`status ${status} where ${contract.status} is told`]
  }
  if (status >= 300 || (status === contract.emptyStatus && text === '')) return []
  return judgeSuccessBody(contract, headers['content-type'], text)
}

function judgeSuccessBody(
  contract: RouteContract,
  type: string | undefined,
  text: string,
): string[] {
  const { response } = contract
  if (response === 'bytes' || response === 'text') return []
  if (response === null)
    return text === '' ? [] : [`a body where none is told: ${text.slice(0, 200)}`]
  // A visitor who may make shares is told that there is no user.
  if (contract === routes.getOwnUser && text === '') return []
  const body = readJson(jsonOf(type, text))
  const parsed = response.safeParse(body)
  if (!parsed.success) return [`breaks its schema: ${parsed.error.message.slice(0, 300)}`]
  return JSON.stringify(parsed.data).length === JSON.stringify(body).length
    ? []
    : [`says more than its schema: ${text.slice(0, 200)}`]
}

function allowedStatuses({ status, emptyStatus, response, path }: RouteContract): number[] {
  // Nothing is linked: leads to the page that says so.
  if (path === routes.unlinkSocialAccount.path) return [status, 302]
  if (response === 'bytes') return [status, 206]
  // As the method it stands for.
  if (path === routes.overrideUploadMethod.path) return [200, 204]
  return emptyStatus === undefined ? [status] : [status, emptyStatus]
}
