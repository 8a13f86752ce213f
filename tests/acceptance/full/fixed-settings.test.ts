import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { codeOf } from '../world/shares.ts'

const program = fileURLToPath(new URL('../../../bin/dist/main.js', import.meta.url))

interface Listed {
  key: string
  value: string | null
  allowEdit: boolean
}

// Floes of their own: what the operator fixed holds from the start.
describe.each(ownArrangements)('settings that the operator fixed, %s', (arrangement) => {
  let folder: string
  let floe: RunningFloe
  let admin: Client

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'floe-fixed-'))
    const file = join(folder, 'settings.json')
    const secret = { 'smtp.password': 'kept by the operator' }
    await writeFile(file, JSON.stringify({ 'general.appName': 'File', ...secret }))
    const variable = JSON.stringify({ 'general.appName': 'Harbour', 'share.maxExpiration': 24 })
    const environment = { SETTINGS_FILE: file, SETTINGS: variable }
    floe = await startFloe({ arrangement, environment })
    admin = await signUp(floe)
  })
  afterAll(async () => {
    await floe?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const change = (changes: Record<string, unknown>) =>
    admin.send('PATCH', '/api/configs/admin', {
      json: Object.entries(changes).map(([key, value]) => ({ key, value })),
    })

  async function listed(category: string, key: string) {
    const response = await admin.send('GET', `/api/configs/admin/${category}`)
    return (response.body as Listed[]).find((variable) => variable.key === key)
  }

  test('hold for everyone', async () => {
    const response = await createClient(floe.url).send('GET', '/api/configs')
    const values = new Map((response.body as Listed[]).map(({ key, value }) => [key, value]))
    expect(values.get('general.appName')).toBe('Harbour')
    expect(values.get('share.maxExpiration')).toBe('24')
    const share = { id: 'too-long', expiration: '2-days', recipients: [], security: {} }
    const refused = await admin.send('POST', '/api/shares', { json: share })
    expect([refused.status, codeOf(refused)]).toEqual([400, 'share_expiration_too_long'])
  })

  test('are shown to administrators as what cannot be changed, secrets not at all', async () => {
    const name = await listed('general', 'general.appName')
    expect(name).toMatchObject({ value: 'Harbour', allowEdit: false })
    expect(await listed('general', 'general.showHomePage')).toMatchObject({ allowEdit: true })
    expect(await listed('smtp', 'smtp.password')).toMatchObject({ value: null, allowEdit: false })
  })

  test('refuse a change, and everything that was to be saved with it', async () => {
    const refused = await change({ 'general.showHomePage': false, 'general.appName': 'Mine' })
    expect([refused.status, codeOf(refused)]).toEqual([409, 'config_fixed'])
    expect(await listed('general', 'general.showHomePage')).toMatchObject({ value: null })
    expect((await change({ 'general.showHomePage': false })).status).toBe(200)
  })
})

test('wrong ones keep Floe from starting: each is named in a line, and nothing is created', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'floe-wrong-'))
  try {
    const file = join(folder, 'config.yaml')
    await writeFile(file, 'smtp:\n  port: many\n')
    const settings = { 'general.colour': 'blue', 'share.zipCompressionLevel': 10 }
    const env = {
      ...{ PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0' },
      ...{
        DATA_DIR: join(folder, 'data'),
        SETTINGS: JSON.stringify(settings),
        SETTINGS_FILE: file,
      },
    }
    const { code, told } = await new Promise<{ code: unknown; told: string }>((resolve) => {
      execFile(process.execPath, [program], { env }, (error, output, errors) => {
        resolve({ code: error?.code, told: output + errors })
      })
    })
    expect(code).toBe(1)
    for (const key of [...Object.keys(settings), 'smtp.port']) {
      expect(told).toMatch(new RegExp(`^SETTINGS or SETTINGS_FILE: .*${key}`, 'm'))
    }
    expect(told).not.toContain('    at ')
    expect(told).not.toContain('"stack"')
    expect(await readdir(folder)).toEqual(['config.yaml'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
