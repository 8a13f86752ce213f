import { beforeAll, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { codeOf, createShare, newShareId, openShare, sendChunk } from './world/shares.ts'
import { append, beginUpload, createUpload } from './world/tus.ts'

onBothArrangements('a share whose link is chosen when it is completed', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  const complete = (draft: string, terms: Record<string, unknown>) =>
    owner.send('POST', `/api/shares/${draft}/complete`, { json: terms })

  test('has its files, small and large, under the new link and no longer under the old', async () => {
    const draft = await createShare(owner)
    expect((await sendChunk(owner, draft, { name: 'a.txt' }, 'abc')).status).toBe(201)
    const upload = { shareId: draft, filename: 'b.txt', lengthBytes: 3, bytes: 'def' }
    expect((await createUpload(owner, upload)).status).toBe(201)

    const id = newShareId()
    const completed = await complete(draft, { id, name: 'Holiday', expiration: '1-days' })
    expect(completed.status, completed.text).toBe(202)
    expect(completed.body).toMatchObject({ id, name: 'Holiday' })

    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    const { body } = await visitor.send('GET', `/api/shares/${id}`)
    const { files } = body as { files: { id: string; name: string }[] }
    const contents = await Promise.all(
      files.map(async (file) => {
        const { text } = await visitor.send('GET', `/api/shares/${id}/files/${file.id}`)
        return [file.name, text]
      }),
    )
    expect(Object.fromEntries(contents)).toEqual({ 'a.txt': 'abc', 'b.txt': 'def' })
    const old = await visitor.send('POST', `/api/shares/${draft}/token`, { json: {} })
    expect([old.status, codeOf(old)]).toEqual([404, 'share_not_found'])
  })

  test('takes no more bytes of an upload that was still running', async () => {
    const draft = await createShare(owner)
    await sendChunk(owner, draft, { name: 'a.txt' }, 'abc')
    const running = await beginUpload(owner, { shareId: draft, filename: 'b', lengthBytes: 6 })
    expect((await append(owner, running, 0, 'abc')).status).toBe(204)
    const id = newShareId()
    expect((await complete(draft, { id })).status).toBe(202)
    const late = await append(owner, running, 3, 'def')
    expect([late.status, codeOf(late)]).toEqual([400, 'share_locked'])
    const { body } = await owner.send('GET', `/api/shares/${id}/from-owner`)
    expect(body).toMatchObject({ files: [{ name: 'a.txt' }] })
  })

  test('keeps its draft when another share took the link meanwhile', async () => {
    const draft = await createShare(owner)
    await sendChunk(owner, draft, { name: 'a.txt' }, 'abc')
    const taken = await createShare(owner)
    const refused = await complete(draft, { id: taken })
    expect([refused.status, codeOf(refused)]).toEqual([400, 'share_id_taken'])
    expect((await complete(draft, { id: newShareId() })).status).toBe(202)
  })
})
