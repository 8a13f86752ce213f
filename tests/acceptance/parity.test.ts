import { randomBytes } from 'node:crypto'
import { type RouteName, routes } from '@floe/contracts'
import { type Arrangement, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newAccount, signUp } from './world/accounts.ts'
import { blur, namesAndValues } from './world/responses.ts'
import {
  type HttpResponse,
  type Client,
  createClient,
  newLocalAddress,
  type SendOptions,
} from './world/http-client.ts'
import { callRoute, type Target } from './world/route-calls.ts'
import { newShareId } from './world/shares.ts'
import { encodeMetadata, offsetStream } from './world/tus.ts'

/** A response, without what no two responses have in common. */
interface Told {
  call: string
  status: number
  /** A line each, names as they were sent. */
  headers: string[]
  body: string
}

// The same calls, about things of the same names, to two new installations: settings, icons and
// counts of attempts differ where other tests were before.
const account = newAccount()
const localAddress = newLocalAddress()
const shareId = newShareId()
const content = randomBytes(300_000)
const octets = { 'Content-Type': 'application/octet-stream' }
const tus = { 'Tus-Resumable': '1.0.0' }

let embedded: Told[]
let split: Told[]
const ends: (() => Promise<void>)[] = []
beforeAll(async () => {
  embedded = await tellAllOf('embedded')
  split = await tellAllOf('split')
})
afterAll(async () => {
  for (const end of ends) await end()
})

test('responses are the same to the byte, whether or not they came through the proxy', () => {
  expect(embedded.length).toBeGreaterThan(100)
  expect(split).toEqual(embedded)
})

async function tellAllOf(arrangement: Arrangement): Promise<Told[]> {
  const floe = await startFloe({ arrangement })
  ends.push(() => floe.stop())
  return tellAll(floe, await signUp(floe))
}

async function tellAll(floe: RunningFloe, administrator: Client): Promise<Told[]> {
  const told: Told[] = []
  const note = (who: string, call: string, response: HttpResponse) => {
    told.push({ call: `${who}: ${call}`, ...describe(response) })
    return response
  }
  const as = (who: string, client: Client) => (method: string, path: string, more?: SendOptions) =>
    client
      .send(method, path, more)
      .then((response) => note(who, `${method} ${blur(path)}`, response))

  await tellEveryRoute(note, createClient(floe.url))
  const client = createClient(floe.url, { localAddress })
  const signedUp = await client.send('POST', '/api/auth/signUp', { json: account })
  note('stranger', 'signUp', signedUp)
  const owner = as('owner', client)
  await owner('GET', '/api/users/me')
  await owner('GET', '/api/auth/sessions')
  const share = { id: shareId, name: 'Parity', expiration: '1-day', recipients: [] }
  await owner('POST', '/api/shares', { json: { ...share, security: { password: 'open' } } })
  await owner('POST', '/api/shares', { json: share })
  await owner('POST', '/api/shares', { json: { ...share, expiration: 'never ever' } })
  await owner('POST', '/api/shares', {
    bytes: '{',
    headers: { 'Content-Type': 'application/json' },
  })
  await owner('PUT', '/api/shares', { json: share })
  await owner('GET', `/api/shares/isShareIdAvailable/${shareId}`)
  await tellUploads(owner)
  await owner('POST', `/api/shares/${shareId}/complete`, { json: {} })
  await untilHashed(client)
  await owner('GET', '/api/shares')
  await owner('GET', `/api/shares/${shareId}/from-owner`)

  const visitorClient = createClient(floe.url)
  const visitor = as('visitor', visitorClient)
  await visitor('GET', `/api/shares/${shareId}`)
  await visitor('GET', `/share/${shareId}`)
  await visitor('POST', `/api/shares/${shareId}/token`, { json: { password: 'wrong' } })
  await visitor('POST', `/api/shares/${shareId}/token`, { json: { password: 'open' } })
  const shown = await visitor('GET', `/api/shares/${shareId}`)
  await visitor('GET', `/api/shares/${shareId}/metaData`)
  await tellDownloads(visitor, (shown.body as { files: { id: string }[] }).files[0]?.id ?? '')

  await tellPages(as('stranger', createClient(floe.url)))
  const admin = as('admin', administrator)
  await admin('GET', '/api/configs/admin/general')
  await admin('PATCH', '/api/configs/admin', { json: [{ key: 'no.such.key', value: 1 }] })
  await owner('PATCH', `/api/shares/${shareId}`, { json: { name: 'Parity again' } })
  await owner('DELETE', `/api/shares/${shareId}`)
  await owner('GET', `/api/shares/${shareId}/from-owner`)
  await owner('POST', '/api/auth/signOut')
  await owner('GET', '/api/users/me')
  return told
}

type Ask = (method: string, path: string, more?: SendOptions) => Promise<HttpResponse>

/** Of a stranger, about what is not there. */
async function tellEveryRoute(
  note: (who: string, call: string, response: HttpResponse) => HttpResponse,
  stranger: Client,
): Promise<void> {
  const nobody = '11111111-2222-4333-8444-555555555555'
  const target: Target = {
    reverseShareId: nobody,
    userId: nobody,
    sessionId: nobody,
    shareId: 'no-such-share',
    fileId: nobody,
    uploadId: 'no-such-upload-at-all',
  }
  // What they do depends on what others did before.
  const lively: readonly RouteName[] = ['signUp', 'signIn', 'finishSetup']
  for (const name of Object.keys(routes) as RouteName[]) {
    if (lively.includes(name)) continue
    note('stranger', name, await callRoute(stranger, name, target))
  }
}

async function tellUploads(owner: Ask): Promise<void> {
  await owner('OPTIONS', '/api/uploads')
  const created = await owner('POST', '/api/uploads', {
    headers: {
      ...tus,
      'Upload-Length': String(content.length),
      'Upload-Metadata': encodeMetadata({ shareId, filename: 'a file.bin' }),
    },
  })
  const path = created.headers.location ?? ''
  const patch = (offset: number, bytes: Buffer) =>
    owner('PATCH', path, {
      bytes,
      headers: { ...tus, 'Upload-Offset': String(offset), 'Content-Type': offsetStream },
    })
  await owner('HEAD', path, { headers: tus })
  await owner('HEAD', path)
  await patch(0, content.subarray(0, 100_000))
  await patch(0, content)
  await patch(100_000, content)
  await patch(100_000, content.subarray(100_000))
  await owner('HEAD', path, { headers: tus })
  const files = `/api/shares/${shareId}/files`
  const chunk = (query: string, bytes: string) =>
    owner('POST', `${files}?${query}`, { bytes, headers: octets })
  await chunk('name=b.txt&chunkIndex=1&totalChunks=2', 'late')
  await chunk('name=b.txt&chunkIndex=x&totalChunks=2', 'odd')
  await chunk('name=b.txt&chunkIndex=0&totalChunks=1', 'a text of some length')
}

/** A job tells the digests of files, sooner or later. */
function untilHashed(client: Client): Promise<void> {
  return vi.waitFor(async () => {
    const { body } = await client.send('GET', `/api/shares/${shareId}/from-owner`)
    const { files } = body as { files: { sha256?: string }[] }
    expect(files.every(({ sha256 }) => sha256 !== undefined)).toBe(true)
  }, 20_000)
}

async function tellDownloads(visitor: Ask, fileId: string): Promise<void> {
  const files = `/api/shares/${shareId}/files`
  for (const path of [`${files}/${fileId}`, `${files}/${fileId}?download=false`]) {
    const { headers } = await visitor('GET', path)
    await visitor('HEAD', path)
    await visitor('GET', path, { headers: { 'If-None-Match': headers.etag ?? '' } })
    await visitor('GET', path, { headers: { 'If-Match': '"another"' } })
    for (const range of ['0-9', '299990-', '-10', '400000-', '0-1,5-6', '5-1', 'x']) {
      await visitor('GET', path, { headers: { Range: `bytes=${range}` } })
    }
    const resumed = { Range: 'bytes=100-', 'If-Range': headers.etag ?? '' }
    await visitor('GET', path, { headers: resumed })
    await visitor('GET', path, { headers: { ...resumed, 'If-Range': '"another"' } })
  }
  await visitor('GET', `${files}/SHA256SUMS`)
  await visitor('HEAD', `${files}/zip`)
  await visitor('GET', `${files}/no-such-file`)
}

async function tellPages(stranger: Ask): Promise<void> {
  const html = { Accept: 'text/html' }
  for (const path of ['/', '/auth/signIn', '/upload', '/no/such/page', '/share/no-such-share']) {
    await stranger('GET', path, { headers: html })
    await stranger('GET', path, { headers: { ...html, 'Accept-Language': 'de' } })
    await stranger('HEAD', path, { headers: html })
  }
  for (const coding of ['br', 'gzip', 'identity']) {
    await stranger('GET', '/', { headers: { ...html, 'Accept-Encoding': coding } })
    await stranger('GET', '/api/configs', { headers: { 'Accept-Encoding': coding } })
  }
  await stranger('GET', '/api/no/such/route')
  await stranger('GET', '/api/shares/%zz')
  await stranger('GET', '/assets/no-such-file.js')
  await stranger('GET', '/manifest.json')
  await stranger('GET', '/robots.txt')
  await stranger('POST', '/api/auth/signIn', { headers: { 'Sec-Fetch-Site': 'cross-site' } })
}

function describe(response: HttpResponse): Omit<Told, 'call'> {
  const { status, headers, bytes } = response
  const isText = /json|text|html|xml/.test(headers['content-type'] ?? '')
  const isPlain = headers['content-encoding'] === undefined
  const body = isText && isPlain ? blur(bytes.toString()) : bytes.toString('base64')
  const lines = namesAndValues(response).map(
    ([name, value]) => `${name}: ${describeValue(name, value)}`,
  )
  return { status, headers: lines, body }
}

function describeValue(name: string, value: string): string {
  return name.toLowerCase() === 'etag' ? value.replace(/[\w+/=-]{8,}/, 'TAG') : blur(value)
}
