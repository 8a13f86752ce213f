import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { beforeAll, expect, test, vi } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { createScript, makeToken } from './world/api-tokens.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient, type HttpResponse } from './world/http-client.ts'
import { changeSettings } from './world/mail.ts'
import { readDirectShare } from './world/shares.ts'

/**
 * What draft-ietf-httpbis-resumable-upload (interop version 8) says of servers, in its order: each test
 * names the section. What clients do with it is in the tests beside.
 */
onBothArrangements('draft-ietf-httpbis-resumable-upload', (floe) => {
  let owner: Client
  let script: Client
  let token: string

  beforeAll(async () => {
    owner = await signUp(floe)
    ;({ token } = await makeToken(owner, { scopes: ['shares:write'] }))
    script = createScript(floe.url, token)
  })

  type Fields = Record<string, string>
  const begin = (bytes: Buffer | string, headers: Fields, method = 'PUT') =>
    script.send(method, '/up/a.bin', { bytes, headers })
  const append = (path: string, offset: number | string, bytes: Buffer | string, fields: Fields) =>
    script.send('PATCH', path, {
      bytes,
      headers: {
        'Content-Type': 'application/partial-upload',
        'Upload-Offset': String(offset),
        ...fields,
      },
    })
  const partial = (offset: number): Fields => ({
    'Content-Type': 'application/partial-upload',
    'Upload-Offset': String(offset),
  })
  const more = { 'Upload-Complete': '?0' }
  const last = { 'Upload-Complete': '?1' }
  const inspect = (path: string, headers: Fields = {}) => script.send('HEAD', path, { headers })

  const usedBytes = async () =>
    ((await owner.send('GET', '/api/users/me/storage')).body as { usedBytes: number }).usedBytes

  async function create(bytes: Buffer | string, headers: Fields = {}): Promise<string> {
    const response = await begin(bytes, { ...more, ...headers })
    expect(response.status, response.text).toBe(201)
    return String(response.headers.location)
  }

  function expectProblem(response: HttpResponse, status: number, type: string) {
    expect(response.status).toBe(status)
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
    const address = `https://iana.org/assignments/http-problem-types#${type}`
    expect(response.body).toMatchObject({ type: address, status })
  }

  interface OpenRequest {
    socket: Socket
    /** All that came back. */
    text(): string
  }

  /** A request whose body is written by the test. */
  function openRequest(line: string, fields: Fields): OpenRequest {
    const { hostname, port, host } = new URL(floe.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => (received += text))
    socket.on('error', () => undefined)
    const head = { Host: host, Authorization: `Bearer ${token}`, ...fields }
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`)
    return { socket, text: () => received }
  }

  // Upload resource: state

  test.each<[string, Fields]>([
    ['Upload-Complete: 1', { 'Upload-Complete': '1' }],
    ['Upload-Complete: ?2', { 'Upload-Complete': '?2' }],
    ['Upload-Complete: true', { 'Upload-Complete': 'true' }],
    ['Upload-Complete: ?0, ?1', { 'Upload-Complete': '?0, ?1' }],
  ])('a field that is not of its type is as if absent: %s shares the file', async (_, fields) => {
    const response = await begin('all of it', fields)
    expect(response.status).toBe(201)
    expect(response.headers['upload-complete']).toBeUndefined()
    expect((await readDirectShare(floe.url, response.text)).toString()).toBe('all of it')
  })

  test.each(['-3', '3.0', 'three', '"3"', '99999999999999999'])(
    'Upload-Length: %s is as if absent',
    async (value) => {
      const location = await create('abc', { 'Upload-Length': value })
      expect((await inspect(location)).headers['upload-length']).toBeUndefined()
    },
  )

  test('parameters of fields say nothing, and are no fault', async () => {
    const first = await begin('abc', {
      'Upload-Complete': '?0;note=1',
      'Upload-Length': '6 ;unit=byte',
    })
    expect(first.headers['upload-complete']).toBe('?0')
    const location = String(first.headers.location)
    const second = await append(location, '3;x', 'def', { 'Upload-Complete': '?1;x' })
    expect((await readDirectShare(floe.url, second.text)).toString()).toBe('abcdef')
  })

  test('an upload that has its length is complete once its client says so, not before', async () => {
    const location = await create('abc', { 'Upload-Length': '3' })
    const { status, headers } = await inspect(location)
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'upload-offset': '3',
      'upload-length': '3',
      'upload-complete': '?0',
    })
    const end = await append(location, 3, '', last)
    expect(end.status).toBe(201)
    expect(end.headers['upload-complete']).toBe('?1')
    expect((await readDirectShare(floe.url, end.text)).toString()).toBe('abc')
  })

  test('an upload without a length ends with an empty request', async () => {
    const location = await create('abc')
    expect((await inspect(location)).headers['upload-length']).toBeUndefined()
    const end = await append(location, 3, '', last)
    expect((await readDirectShare(floe.url, end.text)).toString()).toBe('abc')
  })

  test.each<[string, Fields, string]>([
    ['two lengths in one request', { ...last, 'Upload-Length': '9' }, 'abc'],
    ['a length that is shorter than what came', { ...more, 'Upload-Length': '2' }, 'abc'],
  ])('a beginning with %s is refused, and leaves nothing', async (_, fields, bytes) => {
    expectProblem(await begin(bytes, fields), 400, 'inconsistent-upload-length')
  })

  test.each<[string, Fields, string]>([
    ['another length', { ...more, 'Upload-Length': '11' }, 'x'],
    ['an end before its length', last, 'x'],
  ])('an append with %s is refused, and the upload goes on', async (_, fields, bytes) => {
    const location = await create('abc', { 'Upload-Length': '10' })
    expectProblem(await append(location, 3, bytes, fields), 400, 'inconsistent-upload-length')
    expect((await inspect(location)).headers).toMatchObject({
      'upload-offset': '3',
      'upload-length': '10',
    })
    expect((await append(location, 3, 'defghij', last)).status).toBe(201)
  })

  test('a request that announces more than the length ends the upload', async () => {
    const location = await create('abc', { 'Upload-Length': '10' })
    const refused = await append(location, 3, 'x'.repeat(20), more)
    expectProblem(refused, 400, 'inconsistent-upload-length')
    expect((await inspect(location)).status).toBe(404)
    expect((await append(location, 3, 'defghij', last)).status).toBe(404)
  })

  test('a request that brings more than the length unannounced ends the upload', async () => {
    const location = await create('abc', { 'Upload-Length': '10' })
    const fields = { ...partial(3), ...more, 'Transfer-Encoding': 'chunked' }
    const { socket, text } = openRequest(`PATCH ${location}`, fields)
    socket.write(`8\r\n${'x'.repeat(8)}\r\n0\r\n\r\n`)
    await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 400 .*#inconsistent-up/s), 10_000)
    expect((await inspect(location)).status).toBe(404)
    socket.destroy()
  })

  // Limits

  test('OPTIONS tells ahead that uploads resume, and their limits', async () => {
    const { status, headers } = await createClient(floe.url).send('OPTIONS', '/up/a.txt')
    expect(status).toBe(204)
    expect(headers['accept-patch']).toBe('application/partial-upload')
    expect(headers['upload-limit']).toMatch(/(^|, )max-age=86400$/)
  })

  test('413 says what the limits are, and leaves nothing', async () => {
    const admin = await signInAsAdmin(floe)
    await changeSettings(admin, [{ key: 'share.maxSize', value: 1000 }])
    try {
      const tooLarge = await begin('abc', { ...more, 'Upload-Length': '1001' })
      expect(tooLarge.status).toBe(413)
      expect(tooLarge.headers['upload-limit']).toBe('max-size=1000, max-age=86400')
      const location = await create('abc')
      expect((await inspect(location)).headers['upload-limit']).toBe('max-size=1000, max-age=86400')
      const grown = await append(location, 3, 'x'.repeat(1000), more)
      expect(grown.status).toBe(413)
      expect(grown.headers['upload-limit']).toBe('max-size=1000, max-age=86400')
      expect((await inspect(location)).headers['upload-offset']).toBe('3')
    } finally {
      await changeSettings(admin, [{ key: 'share.maxSize', value: '' }])
    }
  })

  // Upload creation

  test.each(['PUT', 'POST'])('%s makes an upload before any byte is there', async (method) => {
    const response = await begin('', more, method)
    expect(response.status).toBe(201)
    expect(response.headers).toMatchObject({ 'upload-complete': '?0', 'upload-offset': '0' })
    expect(response.headers['upload-limit']).toMatch(/max-age=86400$/)
    const end = await append(String(response.headers.location), 0, 'late', last)
    expect((await readDirectShare(floe.url, end.text)).toString()).toBe('late')
  })

  test('a whole file in one request needs no upload, nor does an empty one', async () => {
    for (const content of ['whole', '']) {
      const response = await begin(content, last)
      expect(response.status).toBe(201)
      expect(response.headers['upload-complete']).toBe('?1')
      expect((await readDirectShare(floe.url, response.text)).toString()).toBe(content)
    }
  })

  test('104 comes before the body with the address of all that follows, and the limits', async () => {
    const fields = {
      ...more,
      'Content-Length': '6',
      'Upload-Draft-Interop-Version': '8',
    }
    const { socket, text } = openRequest('PUT /up/a.bin', fields)
    await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 104 .*\r\n\r\n/s), 10_000)
    const interim = text()
    expect(interim).toMatch(/upload-limit: .*max-age=86400\r\n/i)
    const location = /location: (.*)\r\n/i.exec(interim)?.[1] ?? ''
    socket.write('abcdef')
    await vi.waitFor(() => expect(text()).toMatch(/HTTP\/1\.1 201 .*\r\n\r\n/s), 10_000)
    const final = text().slice(text().indexOf('HTTP/1.1 201'))
    expect(/location: (.*)\r\n/i.exec(final)?.[1]).toBe(location)
    socket.destroy()
  })

  test('100 comes as well where it is waited for', async () => {
    const fields = {
      ...last,
      'Content-Length': '2',
      Expect: '100-continue',
      'Upload-Draft-Interop-Version': '8',
    }
    const { socket, text } = openRequest('PUT /up/a.bin', fields)
    await vi.waitFor(() => {
      expect(text()).toMatch(/HTTP\/1\.1 100 /)
      expect(text()).toMatch(/HTTP\/1\.1 104 /)
    }, 10_000)
    socket.write('ok')
    await vi.waitFor(() => expect(text()).toMatch(/HTTP\/1\.1 201 /), 10_000)
    socket.destroy()
  })

  // Offset retrieval

  test('HEAD tells offset, completeness, length and limits, and is kept nowhere', async () => {
    const location = await create('abc', { 'Upload-Length': '6' })
    const { status, headers } = await inspect(location)
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'upload-offset': '3',
      'upload-complete': '?0',
      'upload-length': '6',
      'cache-control': 'no-store',
    })
    expect(headers['upload-limit']).toMatch(/max-age=86400$/)
    const end = await append(location, 3, 'def', last)
    const after = (await inspect(location)).headers
    expect(after).toMatchObject({
      'upload-offset': '6',
      'upload-complete': '?1',
      'upload-length': '6',
      location: end.text.trim(),
    })
  })

  test('clients of interop version 6, which end at the length, find it complete there', async () => {
    const location = await create('abc', { 'Upload-Length': '3' })
    const { headers } = await inspect(location, { 'Upload-Draft-Interop-Version': '6' })
    expect(headers['upload-complete']).toBe('?1')
    const link = String(headers.location)
    expect((await readDirectShare(floe.url, link)).toString()).toBe('abc')
  })

  // Upload append

  test.each([0, 2, 4, 1_000_000])(
    'an append at %i, where 3 is right, tells that',
    async (offset) => {
      const location = await create('abc')
      const refused = await append(location, offset, 'x', more)
      expectProblem(refused, 409, 'mismatching-upload-offset')
      expect(refused.headers['upload-offset']).toBe('3')
      expect(refused.body).toMatchObject({ 'expected-offset': 3, 'provided-offset': offset })
      expect((await inspect(location)).headers['upload-offset']).toBe('3')
    },
  )

  test.each<[string, Fields, number]>([
    ['another media type', { ...more, 'Content-Type': 'application/octet-stream' }, 415],
    ['that of tus', { ...more, 'Content-Type': 'application/offset+octet-stream' }, 415],
    ['no completeness', {}, 400],
    ['an offset that is no number', { ...more, 'Upload-Offset': 'x' }, 400],
  ])('an append with %s is refused, and changes nothing', async (_, fields, status) => {
    const location = await create('abc')
    expect((await append(location, 3, 'x', fields)).status).toBe(status)
    expect((await inspect(location)).headers['upload-offset']).toBe('3')
  })

  test('a complete upload takes nothing more, and says so', async () => {
    const location = await create('abc')
    const end = await append(location, 3, 'def', last)
    expectProblem(await append(location, 6, 'more', last), 400, 'inconsistent-upload-length')
    const again = await append(location, 6, '', last)
    expectProblem(again, 400, 'completed-upload')
    expect(again.headers['upload-complete']).toBe('?1')
    expect((await readDirectShare(floe.url, end.text)).toString()).toBe('abcdef')
  })

  // Upload cancellation

  test('DELETE ends an upload and what still sends to it', async () => {
    const location = await create('abc')
    const before = await usedBytes()
    const fields = { ...partial(3), ...more, 'Content-Length': '2000000' }
    const { socket, text } = openRequest(`PATCH ${location}`, fields)
    socket.write(randomBytes(1_000_000))
    await vi.waitFor(async () => expect(await usedBytes()).toBe(before + 2_000_000), 10_000)
    expect((await script.send('DELETE', location)).status).toBe(204)
    expect((await inspect(location)).status).toBe(404)
    await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 423 /), 10_000)
    socket.destroy()
  })

  // Concurrency

  test('who asks for the offset ends what still sends, and can go on from what is told', async () => {
    const content = randomBytes(3_000_000)
    const location = await create('')
    const before = await usedBytes()
    const fields = { ...partial(0), ...last, 'Content-Length': String(content.length) }
    // Its client has lost it; the server does not know.
    const { socket } = openRequest(`PATCH ${location}`, fields)
    socket.write(content.subarray(0, 2_000_000))
    await vi.waitFor(async () => expect(await usedBytes()).toBe(before + content.length), 10_000)
    const offset = Number((await inspect(location)).headers['upload-offset'])
    const end = await append(location, offset, content.subarray(offset), last)
    expect(end.status, end.text).toBe(201)
    expect((await readDirectShare(floe.url, end.text)).equals(content)).toBe(true)
    socket.destroy()
  })

  test('of two that append at once one is taken, and the other is told the offset', async () => {
    const location = await create('')
    const both = await Promise.all(
      ['a', 'b'].map((letter) => append(location, 0, letter.repeat(200_000), more)),
    )
    const statuses = both.map(({ status }) => status).sort()
    // Whichever came later has taken over, or found the offset elsewhere.
    expect(statuses).toEqual([204, expect.toBeOneOf([409, 423])])
    const end = await append(location, 200_000, '', last)
    const content = (await readDirectShare(floe.url, end.text)).toString()
    expect(content).toMatch(/^(a{200000}|b{200000})$/)
  })
})
