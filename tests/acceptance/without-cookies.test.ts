import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { createClient, newLocalAddress } from './world/http-client.ts'
import { changeSettings } from './world/mail.ts'
import { codeOf, createShare, openShare, sendChunk } from './world/shares.ts'
import { createUpload } from './world/tus.ts'

onBothArrangements('a script that keeps no cookies', (floe) => {
  const allow = async (value: boolean) =>
    changeSettings(await signInAsAdmin(floe), [{ key: 'share.allowUnauthenticatedShares', value }])
  beforeAll(() => allow(true))
  afterAll(() => allow(false))

  const home = newLocalAddress()
  /** Each call from the same machine, and each without what the one before was given. */
  const script = () => createClient(floe.url, { localAddress: home })
  const stranger = () => createClient(floe.url)
  const complete = (client: ReturnType<typeof script>, shareId: string) =>
    client.send('POST', `/api/shares/${shareId}/complete`)

  test('creates a share, sends files by chunks and by tus, and completes it', async () => {
    const shareId = await createShare(script())
    expect((await sendChunk(script(), shareId, { name: 'a.txt' }, 'abc')).status).toBe(201)
    const upload = { shareId, filename: 'b.txt', lengthBytes: 3, bytes: 'def' }
    expect((await createUpload(script(), upload)).status).toBe(201)
    expect((await complete(script(), shareId)).status).toBe(202)

    const visitor = stranger()
    await openShare(visitor, shareId)
    const { body } = await visitor.send('GET', `/api/shares/${shareId}`)
    const { files } = body as { files: { name: string }[] }
    expect(files.map(({ name }) => name).sort()).toEqual(['a.txt', 'b.txt'])

    const late = await sendChunk(script(), shareId, { name: 'late.txt' }, 'late')
    expect([late.status, codeOf(late)]).toEqual([403, 'forbidden'])
  })

  test('elsewhere is told which cookie it would have to bring', async () => {
    const shareId = await createShare(script())
    await sendChunk(script(), shareId, { name: 'a.txt' }, 'abc')
    const told = { message: expect.stringContaining(`share_${shareId}_owner_token`) }
    const chunk = await sendChunk(stranger(), shareId, { name: 'b.txt' }, 'def')
    expect(chunk).toMatchObject({ status: 403, body: told })
    expect(await complete(stranger(), shareId)).toMatchObject({ status: 403, body: told })
  })

  test('adds nothing to the share of an account, made from the same address', async () => {
    const owner = await signUp(floe)
    const shareId = await createShare(owner)
    const other = createClient(floe.url, { localAddress: owner.localAddress })
    const response = await sendChunk(other, shareId, { name: 'a.txt' }, 'abc')
    expect([response.status, codeOf(response)]).toEqual([403, 'forbidden'])
    expect((await complete(other, shareId)).status).toBe(403)
  })
})
