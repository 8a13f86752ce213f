import { createHash } from 'node:crypto'
import {
  listReleasedSchemas,
  type ReleasedContent,
  type RunningFloe,
  startFloe,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn } from './world/accounts.ts'
import { createClient } from './world/http-client.ts'
import { openShare } from './world/shares.ts'
import { beginSignIn, finishSignIn, totpCode } from './world/totp.ts'
import { append, offsetOf } from './world/tus.ts'
import { verify } from './world/verify.ts'

// Each begins with the data of a version: Floes of their own.
describe.each(listReleasedSchemas())('data of $name', ({ content, install }) => {
  let floe: RunningFloe
  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded', prepare: install })
  })
  afterAll(() => floe?.stop())

  async function signInFully({ totpSecret, ...account }: ReleasedContent['accounts'][number]) {
    if (totpSecret === undefined) return signIn(floe.url, account)
    const begun = await beginSignIn(floe.url, account)
    const finished = await finishSignIn(begun, totpCode(totpSecret))
    expect(finished.status, finished.text).toBe(200)
    return begun.client
  }

  test('every share opens, or not, as before, with every byte of its files', async () => {
    for (const { id, password, status, files } of content.shares) {
      const visitor = createClient(floe.url)
      const opened = await openShare(visitor, id, password)
      expect(opened.status, `${id}: ${opened.text}`).toBe(status)
      if (status !== 200) continue
      const { body } = await visitor.send('GET', `/api/shares/${id}`)
      const listed = (body as { files: { id: string; name: string }[] }).files
      expect(listed.map((file) => file.name).sort()).toEqual(files.map(({ name }) => name).sort())
      for (const file of files) {
        const { bytes } = await visitor.send('GET', `/api/shares/${id}/files/${file.id}`)
        expect(bytes.length).toBe(file.size)
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256)
      }
    }
  })

  test('every account signs in, and what it began goes on', async () => {
    const [first, ...others] = content.accounts
    for (const account of others) await signInFully(account)
    if (first === undefined) throw new Error('no account')
    const owner = await signInFully(first)
    const { body } = await owner.send('GET', '/api/uploads')
    const unfinished = body as { url: string; name: string }[]
    expect(unfinished.map(({ name }) => name)).toEqual(content.uploads.map(({ name }) => name))
    for (const [index, { url }] of unfinished.entries()) {
      const offset = await offsetOf(owner, url)
      expect(offset).toBe(content.uploads[index]?.offset)
      expect((await append(owner, url, offset, 'more')).status).toBe(204)
    }
    const settings = await owner.send('GET', '/api/configs/admin/general')
    expect(settings.body).toContainEqual(
      expect.objectContaining({
        key: 'general.appName',
        value: expect.stringMatching(/^Floe of (?:old|before)$/),
      }),
    )
  })

  test('every reverse share takes visitors', async () => {
    for (const token of content.reverseShares) {
      const response = await createClient(floe.url).send('GET', `/api/reverseShares/${token}`)
      expect(response.status, response.text).toBe(200)
    }
  })

  test('database and objects agree', async () => {
    expect(await verify(floe.dataDirectory, '--deep')).toMatchObject({ code: 0, errors: '' })
  })
})
