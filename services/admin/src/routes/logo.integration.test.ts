import { MOST_LOGO_BYTES } from '@floe/contracts'
import { badLogos, colourPng } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ADMIN_TOKEN,
  type AdminServer,
  type HttpResponse,
  startAdminServer,
  USER_TOKEN,
} from '../testing/admin-server.ts'

const PATH = '/api/configs/admin/logo'
const DARK_PATH = '/api/configs/admin/logoDark'
const red = colourPng(64, [200, 30, 30])
const blue = colourPng(64, [30, 30, 200])

let server: AdminServer
beforeAll(async () => {
  server = await startAdminServer()
})
afterAll(() => server.close())

interface LogoOptions {
  type?: string
  field?: string
  by?: AdminServer
  token?: string
  path?: string
}

function formOf(bytes: Buffer, { type = 'image/png', field = 'file' }: LogoOptions): FormData {
  const form = new FormData()
  form.set(field, new File([new Uint8Array(bytes)], 'logo.png', { type }))
  return form
}

function upload(bytes: Buffer, options: LogoOptions = {}): Promise<HttpResponse> {
  const { by = server, token = ADMIN_TOKEN, path = PATH } = options
  return by.send('POST', path, { token, body: formOf(bytes, options) })
}

const versionOf = async (by = server) => (await by.port.logo({})).version
const darkVersionOf = async (by = server) => (await by.port.logo({})).darkVersion
const remove = (by = server, path = PATH) => by.send('DELETE', path, { token: ADMIN_TOKEN })

describe('a logo', () => {
  test('is none until one is set, and none again once it is removed', async () => {
    expect(await versionOf()).toBeNull()
    const response = await upload(red)
    expect(response).toMatchObject({ status: 201, body: { version: await versionOf() } })
    expect((await remove()).status).toBe(204)
    expect(await versionOf()).toBeNull()
    expect((await remove()).status).toBe(204)
  })

  test('is a change of a setting to the audit log, and none where there was none', async () => {
    const countAuditEvents = async () => {
      const rows: { payload: unknown }[] = await server.database.knex('outbox').select('payload')
      return rows.filter(({ payload }) => JSON.stringify(payload).includes('general.logo')).length
    }
    const before = await countAuditEvents()
    await upload(red)
    await upload(colourPng(32, [0, 0, 0]), { type: 'image/jpeg' })
    await remove()
    await remove()
    expect((await countAuditEvents()) - before).toBe(2)
  })

  test('gives its icons under its version, and another version to each other logo', async () => {
    await upload(red)
    const redVersion = (await versionOf()) ?? ''
    const { icons } = await server.port.icons({ version: redVersion })
    expect(Object.keys(icons ?? {})).toEqual(
      expect.arrayContaining(['favicon.ico', 'img/logo.png', 'img/icons/icon-192x192.png']),
    )
    await upload(blue)
    const blueVersion = (await versionOf()) ?? ''
    expect(blueVersion).not.toBe(redVersion)
    expect(await server.port.icons({ version: redVersion })).toEqual({ icons: null })
    expect((await server.port.icons({ version: blueVersion })).icons).not.toEqual(icons)
    await upload(red)
    expect(await versionOf()).toBe(redVersion)
  })

  test('is there for every other replica at once', async () => {
    const replica = await server.replicate()
    await upload(red)
    const version = (await versionOf()) ?? ''
    expect(await versionOf(replica)).toBe(version)
    expect(await replica.port.icons({ version })).toEqual(await server.port.icons({ version }))
    await remove(replica)
    expect(await versionOf()).toBeNull()
    await replica.close()
  })

  test('that is set and removed by many at once is whole or none', async () => {
    const replica = await server.replicate()
    const turns = Array.from({ length: 12 }, (_, turn) => {
      const by = turn % 2 === 0 ? server : replica
      return turn % 3 === 0 ? remove(by) : upload(turn % 2 === 0 ? red : blue, { by })
    })
    for (const { status } of await Promise.all(turns)) expect([201, 204]).toContain(status)
    await upload(red)
    const { rows } = await server.database.knex.raw<{
      rows: { versions: number; icons: number }[]
    }>('select count(distinct version) as versions, count(*) as icons from logo_icons')
    expect(rows).toEqual([{ versions: 1, icons: 13 }])
    await replica.close()
  })
})

describe('the logo for dark pages', () => {
  const dark = { path: DARK_PATH }
  const removeDark = () => remove(server, DARK_PATH)

  test('is set and removed beside the usual one, which stays as it is', async () => {
    await upload(red)
    const usual = await versionOf()
    const response = await upload(blue, dark)
    expect(response).toMatchObject({ status: 201, body: { version: await darkVersionOf() } })
    expect(await versionOf()).toBe(usual)
    expect((await removeDark()).status).toBe(204)
    expect(await darkVersionOf()).toBeNull()
    expect((await server.port.icons({ version: usual ?? '' })).icons).toHaveProperty('img/logo.png')
    await upload(blue, dark)
    const version = await darkVersionOf()
    await remove()
    expect(await server.port.logo({})).toEqual({ version: null, darkVersion: version })
    await removeDark()
  })

  test('has what pages show, under its own addresses and version', async () => {
    await upload(red)
    await upload(red, dark)
    const version = (await darkVersionOf()) ?? ''
    expect(version).not.toBe(await versionOf())
    const { icons } = await server.port.icons({ version })
    const edges = [48, 72, 96, 128, 144, 152, 192, 384, 512]
    const paths = edges.map((edge) => `img/icons/icon-${edge}x${edge}-dark.png`)
    expect(Object.keys(icons ?? {}).toSorted()).toEqual(['img/logo-dark.png', ...paths].toSorted())
    await removeDark()
  })

  test('is a change of a setting of its own to the audit log', async () => {
    const countAuditEvents = async () => {
      const rows: { payload: unknown }[] = await server.database.knex('outbox').select('payload')
      return rows.filter(({ payload }) => JSON.stringify(payload).includes('general.logoDark'))
        .length
    }
    const before = await countAuditEvents()
    await upload(blue, dark)
    await removeDark()
    await removeDark()
    expect((await countAuditEvents()) - before).toBe(2)
  })

  test('is refused for the same reasons as the usual one', async () => {
    for (const { code, make } of badLogos) {
      expect(await upload(make(), dark)).toMatchObject({ status: 400, body: { code } })
    }
    const big = Buffer.alloc(MOST_LOGO_BYTES + 1)
    expect(await upload(big, dark)).toMatchObject({ status: 413, body: { code: 'logo_too_big' } })
    expect(await darkVersionOf()).toBeNull()
  })

  test('is for administrators alone', async () => {
    for (const token of [USER_TOKEN, 'nobody']) {
      const refused = { status: 403, body: { code: 'forbidden' } }
      expect(await upload(blue, { ...dark, token })).toMatchObject(refused)
      expect(await server.send('DELETE', DARK_PATH, { token })).toMatchObject(refused)
    }
  })
})

describe('a file that is no logo leaves the one there is', () => {
  beforeAll(() => upload(red))

  async function expectRefused(
    response: HttpResponse,
    status: number,
    code: string,
  ): Promise<void> {
    expect(response).toMatchObject({ status, body: { code } })
    expect(await versionOf()).toBe(version)
  }
  let version: string | null
  beforeAll(async () => {
    version = await versionOf()
  })

  test.each([...badLogos])('$what: $code', async ({ code, make }) => {
    await expectRefused(await upload(make()), 400, code)
  })

  test('declared as something else', async () => {
    for (const type of ['image/svg+xml', 'image/jpeg', '', 'image/png2']) {
      await expectRefused(await upload(red, { type }), 400, 'logo_not_png')
    }
  })

  test('of more bytes than are allowed, told or not told ahead', async () => {
    await expectRefused(await upload(Buffer.alloc(MOST_LOGO_BYTES + 1)), 413, 'logo_too_big')
    await expectRefused(await upload(Buffer.alloc(2 * MOST_LOGO_BYTES)), 413, 'logo_too_big')
    const body = (async function* () {
      for (let sent = 0; sent <= MOST_LOGO_BYTES; sent += 65_536) yield Buffer.alloc(65_536)
    })()
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const response = await server.send('POST', PATH, { token: ADMIN_TOKEN, body, headers })
    await expectRefused(response, 413, 'logo_too_big')
  })

  test('in a form that cannot be read, or under another name', async () => {
    await expectRefused(await upload(red, { field: 'logo' }), 400, 'validation_failed')
    const text = new FormData()
    text.set('file', 'just text')
    const sent = [
      { body: text },
      { body: '', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      { body: '--x\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      { body: '--x\r\nA: b\r\n\r\n', headers: { 'content-type': 'multipart/form-data' } },
      {
        body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
    ]
    for (const options of sent) {
      const response = await server.send('POST', PATH, { token: ADMIN_TOKEN, ...options })
      await expectRefused(response, 400, 'validation_failed')
    }
  })

  test('not in a form at all', async () => {
    for (const type of ['image/png', 'application/json', 'text/plain']) {
      const headers = { 'content-type': type }
      const response = await server.send('POST', PATH, { token: ADMIN_TOKEN, body: '{}', headers })
      await expectRefused(response, 415, 'unsupported_media_type')
    }
  })

  test('from anyone but an administrator, before it is read', async () => {
    for (const token of [USER_TOKEN, 'nobody']) {
      await expectRefused(await upload(blue, { token }), 403, 'forbidden')
      await expectRefused(await upload(Buffer.alloc(9_000_000), { token }), 403, 'forbidden')
      const response = await server.send('DELETE', PATH, { token })
      await expectRefused(response, 403, 'forbidden')
    }
  })
})
