import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, signIn, signUp } from '../world/accounts.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { codeOf, createShare, openShare, publishShare } from '../world/shares.ts'
import { createUpload } from '../world/tus.ts'

const administrator = { email: 'demo', password: 'floe-for-an-hour' }
const built = (path: string) => JSON.stringify(new URL(`../../../${path}`, import.meta.url).href)
const webDirectory = JSON.stringify(fileURLToPath(new URL('../../../web/dist', import.meta.url)))

/** As bin/dist/main.js, which resets each hour. */
const programOf = (resetMs: number) => `
  import { runFloe } from ${built('packages/runtime/dist/host/index.js')}
  import { services } from ${built('bin/dist/services.js')}
  const commandLineFile = '/nonexistent'
  await runFloe({ services, webDirectory: ${webDirectory}, commandLineFile, demoResetMs: ${resetMs} })
`

describe('a demo', () => {
  let floe: RunningFloe
  let admin: Client

  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded', environment: { DEMO: '1' } })
    admin = await signIn(floe.url, administrator)
  })
  afterAll(() => floe?.stop())

  test('is set up, and has an administrator before the first visitor comes', async () => {
    const me = await admin.send('GET', '/api/users/me')
    expect(me.body).toMatchObject({ username: 'demo', isAdmin: true })
    const visitor = await signUp(floe)
    expect((await visitor.send('GET', '/api/users/me')).body).toMatchObject({ isAdmin: false })
    const page = await admin.send('GET', '/')
    expect(page.text).toContain('"isSetUp":true')
  })

  test('keeps a share for an hour at most, and refuses one of more than 100 MB', async () => {
    for (const expiration of ['2-hours', 'never']) {
      const response = await admin.send('POST', '/api/shares', {
        json: { id: 'too-long', expiration, recipients: [], security: {} },
      })
      expect([response.status, codeOf(response)]).toEqual([400, 'share_expiration_too_long'])
    }
    const id = await createShare(admin, { expiration: '1-hour' })
    const file = { shareId: id, filename: 'a.bin', lengthBytes: 100_000_001 }
    const upload = await createUpload(admin, file)
    expect(upload.status).toBe(413)
  })

  test('takes mail, says that it goes nowhere, and does not let anybody change that', async () => {
    const sent = await admin.send('POST', '/api/configs/admin/testEmail', {
      json: { email: 'ada@example.org' },
    })
    expect(sent.text).toContain('Not sent: this is a demo')
    for (const change of [
      { key: 'smtp.host', value: '127.0.0.1' },
      { key: 'oauth.github-enabled', value: true },
      { key: 'share.maxExpiration', value: 0 },
      { key: 'general.releaseRepository', value: 'floe/floe' },
    ]) {
      const refused = await admin.send('PATCH', '/api/configs/admin', { json: [change] })
      expect([refused.status, codeOf(refused)], change.key).toEqual([409, 'config_fixed'])
    }
  })
})

test('a demo deletes accounts, shares, files and settings, and serves again by itself at the same port', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'floe-demo-'))
  const program = join(folder, 'main.mjs')
  await writeFile(program, programOf(intervalThatEndsIn(40_000)))
  const floe = await startFloe({ arrangement: 'embedded', environment: { DEMO: '1' }, program })
  try {
    const account = newAccount()
    const member = await signUp(floe, account)
    const { id } = await publishShare(member, { 'a.txt': 'a' }, { expiration: '1-hour' })
    const admin = await signIn(floe.url, administrator)
    const json = [{ key: 'general.appName', value: 'Mine' }]
    expect((await admin.send('PATCH', '/api/configs/admin', { json })).status).toBe(200)
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, id)).status).toBe(200)
    const objects = async () => {
      const folder = join(floe.dataDirectory, 'objects')
      // Made when something asks for its disk, or is stored.
      if (!existsSync(folder)) return 0
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).length
    }
    expect(await objects()).toBeGreaterThan(0)

    const statusOfShare = () =>
      openShare(visitor, id).then(
        ({ status }) => status,
        () => 'not there',
      )
    await expect.poll(statusOfShare, { timeout: 100_000 }).toBe(404)
    expect(await objects()).toBe(0)
    const gone = await visitor.send('POST', '/api/auth/signIn', { json: account })
    expect(gone.status).toBe(401)
    const again = await signIn(floe.url, administrator)
    expect((await again.send('GET', '/api/configs')).text).not.toContain('Mine')
    expect((await member.send('GET', '/api/shares')).status).toBe(403)
  } finally {
    await floe.stop()
    await rm(folder, { recursive: true })
  }
})

test('a demo does not start over the data of an installation that is none', async () => {
  const prepare = (dataDirectory: string) => writeFile(join(dataDirectory, 'secret.key'), 'kept')
  await expect(
    startFloe({ arrangement: 'embedded', environment: { DEMO: '1' }, prepare }),
  ).rejects.toThrow('was not made by a demo')
})

/** Resets come at multiples of the interval: the first is due when so much time has passed. */
function intervalThatEndsIn(waitMs: number): number {
  const now = Date.now()
  for (let interval = 2 * waitMs; ; interval += 1) {
    const leftMs = interval - (now % interval)
    if (leftMs >= waitMs && leftMs < waitMs + 5_000) return interval
  }
}
