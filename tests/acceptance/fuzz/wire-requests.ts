import { createHash } from 'node:crypto'
import { type RouteContract, routes } from '@floe/contracts'
import { badLogos, colourPng } from '@floe/testing'
import { encodeMetadata } from '../world/tus.ts'
import { escapeAll, writeJson } from './hostile-values.ts'
import { type Fault, parametersOf, type PlannedBody, type PlannedCall } from './planned-calls.ts'
import type { WireRequest } from './send.ts'
import { readReference } from './valid-values.ts'

/** What a reference stands for at this moment. */
export type LookUp = (name: string) => string | number

const logo = colourPng(64, [30, 30, 200])

/** Writes a planned call with what there is, and spoils it by its faults. */
export function writeRequest(
  call: PlannedCall,
  { lookUp, smtpPort }: { lookUp: LookUp; smtpPort: number },
): WireRequest {
  const contract: RouteContract = routes[call.route]
  const content = writeBody(call, lookUp, smtpPort)
  const ownLookUp: LookUp = (name) => {
    if (name === 'bodyLength') return content.body?.length ?? 0
    if (name === 'checksum') {
      const digest = createHash('sha1').update(content.body ?? '')
      return `sha1 ${digest.digest('base64')}`
    }
    return lookUp(name)
  }
  const wire: WireRequest = {
    method: contract.method.toUpperCase(),
    path: writePath(call, lookUp) + writeQuery(call, lookUp),
    headers: { ...content.headers, ...writeHeaders(call.headers, ownLookUp) },
    body: content.body,
  }
  const spoilt = call.faults.reduce(spoil, wire)
  return {
    ...spoilt,
    path: spoilt.path.replace(/[^!-~]+/g, escapeAll),
    headers: Object.fromEntries(
      Object.entries(spoilt.headers).map(([name, value]) => [name, sendable(value)]),
    ),
  }
}

/** Without what the HTTP client itself refuses to send. */
function sendable(value: string): string {
  return value.replace(/[^\t -~\x80-\xff]/g, '')
}

/** What has faults of its own is spoilt as it is written. */
function faultsOf<K extends Fault['kind']>({ faults }: PlannedCall, kind: K) {
  return faults.filter((fault): fault is Fault & { kind: K } => fault.kind === kind)
}

function writePath(call: PlannedCall, lookUp: LookUp): string {
  const contract = routes[call.route]
  const parameters = parametersOf(contract)
  const texts = new Map(
    parameters.map((name) => [name, escapeAll(String(resolve(call.segments[name], lookUp)))]),
  )
  for (const { at, text } of faultsOf(call, 'segment')) {
    const name = parameters[at % parameters.length]
    if (name !== undefined) texts.set(name, text)
  }
  return contract.path.replace(/:(\w+)/g, (_, name: string) => texts.get(name) ?? '')
}

function writeQuery(call: PlannedCall, lookUp: LookUp): string {
  const pairs = call.query.map(
    ([name, value]) => `${escapeAll(name)}=${escapeAll(String(resolve(value, lookUp)))}`,
  )
  for (const { at, how, text } of faultsOf(call, 'query')) {
    const place = at % Math.max(1, pairs.length)
    const [name = 'a', value = ''] = (pairs[place] ?? 'a=b').split('=')
    const spoilt = {
      add: [text],
      twice: [`${name}=${value}`, `${name}=${text}`],
      brackets: [`${name}[]=${value}`, `${name}[a]=${value}`],
      value: [`${name}=${text}`],
    }[how]
    pairs.splice(place, how === 'value' ? 1 : 0, ...spoilt)
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function writeHeaders(headers: PlannedCall['headers'], lookUp: LookUp): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? String(resolve(value, lookUp))
        : encodeMetadata(resolve(value, lookUp) as Record<string, string>),
    ]),
  )
}

type Content = Pick<WireRequest, 'body' | 'headers'>

function writeBody(call: PlannedCall, lookUp: LookUp, smtpPort: number): Content {
  const { body } = call
  switch (body.kind) {
    case 'none':
      return { body: null, headers: {} }
    case 'json': {
      const good = resolve(body.value, lookUp)
      const spoilt = faultsOf(call, 'member').reduce(spoilMember, good)
      const text = writeJson(keepOnLoopback(spoilt, smtpPort))
      return { body: Buffer.from(text), headers: { 'Content-Type': 'application/json' } }
    }
    case 'form': {
      const fields = body.fields.map(
        ([name, value]) => [name, String(resolve(value, lookUp))] as [string, string],
      )
      return {
        body: Buffer.from(new URLSearchParams(fields).toString()),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }
    }
    case 'bytes':
      return { body: Buffer.alloc(body.sizeBytes, 'floe '), headers: {} }
    case 'file':
      return writeForm(body)
  }
}

/** Most of them right; of the others each has a flaw of its own. */
function writeForm({ field, type, logo: index }: PlannedBody & { kind: 'file' }): Content {
  const file = badLogos[index]?.make() ?? logo
  const boundary = 'floe-fuzz-boundary'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="a.png"\r\nContent-Type: ${type}\r\n\r\n`
  return {
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** References, wherever they stand, become what they stand for. */
function resolve(value: unknown, lookUp: LookUp): unknown {
  if (typeof value === 'string') {
    const name = readReference(value)
    return name === null ? value : lookUp(name)
  }
  if (Array.isArray(value)) return value.map((member) => resolve(member, lookUp))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, resolve(member, lookUp)]),
  )
}

/** Settings by which a Floe finds other servers, and what may stand there. */
const outward = new Map<unknown, (value: unknown, smtpPort: number) => boolean>([
  ['smtp.host', (value) => value === '' || value === '127.0.0.1'],
  ['smtp.port', (value, smtpPort) => value === '' || Number(value) === smtpPort],
  // Nobody listens there.
  [
    'oauth.oidc-discoveryUri',
    (value) => /^(?:https?:\/\/127\.0\.0\.1:1(?:\/|$)|$)/.test(String(value)),
  ],
])

/**
 * A setting that passed validation would make Floe connect to whatever it names: what may lead off
 * this machine is never sent. The other providers have addresses from the environment.
 */
function keepOnLoopback(value: unknown, smtpPort: number): unknown {
  // Its own `map` would ask a member called `constructor` for another array.
  if (Array.isArray(value)) return Array.from(value, (member) => keepOnLoopback(member, smtpPort))
  if (typeof value !== 'object' || value === null) return value
  const { key, value: setting } = value as { key?: unknown; value?: unknown }
  const isHarmless = outward.get(key)
  if (isHarmless && !isHarmless(setting, smtpPort)) return { key, value: '' }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, keepOnLoopback(member, smtpPort)]),
  )
}

type Place = { holder: object; name: string }

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    { holder: value, name },
    ...placesIn(member),
  ])
}

function setMember(holder: object, name: string, value: unknown): void {
  // An assignment to `__proto__` would set the prototype instead.
  Object.defineProperty(holder, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function spoilMember(body: unknown, fault: Fault & { kind: 'member' }): unknown {
  const copy: unknown = structuredClone(body)
  const places = placesIn(copy)
  const place = places[fault.at % (places.length + 1)]
  if (place === undefined) {
    if (fault.how !== 'add' || typeof copy !== 'object' || copy === null) return fault.value
    setMember(copy, fault.name, fault.value)
    return copy
  }
  const { holder, name } = place
  const old: unknown = Reflect.get(holder, name)
  if (fault.how === 'remove') Reflect.deleteProperty(holder, name)
  else if (fault.how === 'wrap') setMember(holder, name, [old])
  else setMember(holder, fault.how === 'add' ? fault.name : name, fault.value)
  return copy
}

function spoil(wire: WireRequest, fault: Fault): WireRequest {
  const { headers } = wire
  switch (fault.kind) {
    case 'segment':
    case 'query':
    case 'member':
      return wire
    case 'body':
      return { ...wire, body: Buffer.from(fault.text, 'latin1') }
    case 'stray body':
      return {
        ...wire,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: Buffer.from(writeJson(fault.value)),
      }
    case 'content type':
      return { ...wire, headers: { ...headers, 'Content-Type': fault.text } }
    case 'header':
      return { ...wire, headers: { ...headers, [fault.name]: fault.value } }
    case 'own header': {
      const names = Object.keys(headers)
      const name = names[fault.at % Math.max(1, names.length)]
      return name === undefined ? wire : { ...wire, headers: { ...headers, [name]: fault.value } }
    }
    case 'cookie':
      return { ...wire, headers: { ...headers, Cookie: fault.text } }
    case 'method':
      return { ...wire, method: fault.method.toUpperCase() }
  }
}
