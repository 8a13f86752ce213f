import { colourPng } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newAccount, signIn, signUp } from './world/accounts.ts'
import { floeOf, haveAlone } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { removeLogo, setLogo } from './world/logos.ts'
import { type Replica, startReplica } from './world/replicas.ts'
import { codeOf, createShare, newShareId } from './world/shares.ts'
import { createUpload } from './world/tus.ts'

/** What every replica has to know within this time. */
const EVERYWHERE_MS = 5_000

type Values = Record<string, string | number | boolean>

describe('a change that one replica takes', () => {
  const floe = floeOf('split')
  const account = newAccount()
  const sides: { visitor: Client; member: Client; admin: Client }[] = []
  let replica: Replica

  haveAlone(floe)
  beforeAll(async () => {
    replica = await startReplica(floe)
    await signUp(floe, account)
    for (const url of [floe.url, replica.url]) {
      sides.push({
        visitor: createClient(url),
        member: await signIn(url, account),
        admin: await signIn(url, floe.admin),
      })
    }
  })
  afterAll(async () => {
    await save(0, defaults)
    await removeLogo(sideAt(0).admin)
    await replica.stop()
  })

  const defaults: Values = {
    'general.appName': '',
    'general.showHomePage': '',
    'share.allowRegistration': '',
    'share.maxExpiration': '',
    'share.maxSize': '',
  }

  function sideAt(at: number) {
    const side = sides[at]
    if (!side) throw new Error('there are two')
    return side
  }

  async function save(at: number, values: Values): Promise<void> {
    const json = Object.entries(values).map(([key, value]) => ({ key, value }))
    const response = await sideAt(at).admin.send('PATCH', '/api/configs/admin', { json })
    expect(response.status, response.text).toBe(200)
  }

  /** The same response from both, before time is up. */
  async function everywhere<T>(read: (at: number) => Promise<T>, expected: T): Promise<void> {
    const isSo = async () => {
      expect(await Promise.all([read(0), read(1)])).toEqual([expected, expected])
    }
    await vi.waitFor(isSo, { timeout: EVERYWHERE_MS, interval: 50 })
  }

  const get = (at: number, path: string) => sideAt(at).visitor.send('GET', path)
  const pageAt = async (at: number) => (await get(at, '/')).text
  const post = async (at: number, path: string, json: unknown) =>
    codeOf(await sideAt(at).member.send('POST', path, { json }))

  /** By the first replica, and by the second. */
  const turns = [0, 1]

  test.each(turns)('is the name in pages and manifest of both (%d)', async (at) => {
    const name = `Name ${at}`
    await save(at, { 'general.appName': name })
    const titleAt = async (side: number) => /<title>Home – ([^<]*)/.exec(await pageAt(side))?.[1]
    await everywhere(titleAt, name)
    const manifestAt = async (side: number) => {
      const { body } = await get(side, '/manifests/en.webmanifest')
      return (body as { name: string }).name
    }
    await everywhere(manifestAt, name)
  })

  test.each(turns)('is the logo of both (%d)', async (at) => {
    const iconAt = async (side: number) =>
      (await get(side, '/img/icons/icon-192x192.png')).headers.etag
    const before = await iconAt(at)
    await setLogo(sideAt(at).admin, colourPng(64, [at * 90, 40, 40]))
    const after = await iconAt(at)
    expect(after).not.toBe(before)
    await everywhere(iconAt, after)
  })

  test.each(turns)('shows or hides the home page of both (%d)', async (at) => {
    const isShownAt = async (side: number) =>
      /"general\.showHomePage":(true|false)/.exec(await pageAt(side))?.[1]
    await save(at, { 'general.showHomePage': false })
    await everywhere(isShownAt, 'false')
    await save(at, { 'general.showHomePage': true })
    await everywhere(isShownAt, 'true')
  })

  test.each(turns)('closes and opens the registration of both (%d)', async (at) => {
    const signUpAt = async (side: number) => {
      const json = newAccount()
      const newcomer = createClient(sideAt(side).visitor.url)
      return (await newcomer.send('POST', '/api/auth/signUp', { json })).status
    }
    await save(at, { 'share.allowRegistration': false })
    await everywhere(signUpAt, 403)
    await save(at, { 'share.allowRegistration': true })
    await everywhere(signUpAt, 201)
  })

  test.each(turns)('limits how long shares of both may live (%d)', async (at) => {
    const createAt = (side: number) =>
      post(side, '/api/shares', { id: newShareId(), expiration: '2-days', recipients: [] })
    await save(at, { 'share.maxExpiration': 24 })
    await everywhere(createAt, 'share_expiration_too_long')
    await save(at, { 'share.maxExpiration': 0 })
    await everywhere(createAt, undefined)
  })

  test.each(turns)('limits how large shares of both may be (%d)', async (at) => {
    const shareIds = await Promise.all(sides.map(({ member }) => createShare(member)))
    const beginAt = async (side: number) => {
      const shareId = shareIds[side] ?? ''
      const upload = { shareId, filename: 'a.bin', lengthBytes: 1_000_001 }
      return (await createUpload(sideAt(side).member, upload)).status
    }
    await save(at, { 'share.maxSize': 1_000_000 })
    await everywhere(beginAt, 413)
    await save(at, { 'share.maxSize': 0 })
    await everywhere(beginAt, 201)
  })
})
