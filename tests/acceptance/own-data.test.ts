import { readRows, withDataDirectory } from '@floe/testing'
import { beforeAll, expect, test, vi } from 'vitest'
import { type Account, newAccount, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient, type HttpResponse } from './world/http-client.ts'
import { beginSending, complete, createReverseShare, openSender } from './world/reverse-shares.ts'
import { publishShare } from './world/shares.ts'
import { enrolTotp, totpCode } from './world/totp.ts'

type Tables = Record<string, Record<string, unknown>[]>

interface Export {
  exportedAt: string
  userId: string
  data: Tables
}

/** An account with a bit of everything, and what may be told to nobody. */
interface Person {
  client: Client
  account: Account
  id: string
  shareId: string
  receivedId: string
  secrets: string[]
}

onOneArrangement('split', 'what is stored of an account', (floe) => {
  async function settle(): Promise<Person> {
    const account = newAccount()
    const client = await signUp(floe, account)
    const { id } = (await client.send('GET', '/api/users/me')).body as { id: string }
    const { id: shareId } = await publishShare(
      client,
      { [`of ${account.username}.txt`]: `content of ${account.username}` },
      { description: `note of ${account.username}`, security: { password: 'of the share' } },
    )
    const visit = await createClient(floe.url).send('POST', `/api/shares/${shareId}/token`, {
      json: { password: 'of the share' },
    })
    expect(visit.status, visit.text).toBe(200)
    const token = await createReverseShare(client, { name: `request of ${account.username}` })
    const sender = openSender(floe, token)
    const receivedId = await beginSending(sender, { [`for ${account.username}.txt`]: 'sent' })
    expect((await complete(sender, receivedId)).status).toBe(202)
    const made = await client.send('POST', '/api/tokens', {
      json: { name: `token of ${account.username}`, scopes: ['shares:read'], expiresIn: '1-day' },
    })
    expect(made.status, made.text).toBe(201)
    const secret = await enrolTotp(client, account)
    const { password } = account
    const codes = await client.send('POST', '/api/auth/totp/recoveryCodes', {
      json: { password, code: totpCode(secret, 1) },
    })
    expect(codes.status, codes.text).toBe(201)
    const { token: tokenText } = made.body as { token: string }
    const secrets = [password, 'of the share', secret, tokenText, '$argon2']
    return { client, account, id, shareId, receivedId, secrets }
  }

  const take = (client: Client): Promise<HttpResponse> => client.send('GET', '/api/users/me/data')

  let ann: Person
  let bob: Person
  beforeAll(async () => {
    ann = await settle()
    bob = await settle()
  })

  test('is downloaded by it as one file, without secrets', async () => {
    const response = await take(ann.client)
    expect(response.status, response.text).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.headers['content-disposition']).toMatch(
      /^attachment; filename="account-\d{4}-\d\d-\d\d\.json"$/,
    )
    for (const secret of ann.secrets) expect(response.text).not.toContain(secret)
    const { userId, data } = response.body as Export
    expect(userId).toBe(ann.id)
    const { username, email } = ann.account
    expect(data['users']).toMatchObject([{ id: ann.id, username, email }])
    expect(data['sessions']).toHaveLength(1)
    expect(data['totp_secrets']).toHaveLength(1)
    expect(data['recovery_codes']?.length).toBeGreaterThan(5)
    expect(data['api_tokens']).toMatchObject([{ name: `token of ${username}` }])
    expect(data['shares']?.map(({ id }) => id).sort()).toEqual([ann.shareId, ann.receivedId].sort())
    expect(data['view_counts']).toMatchObject([{ count: 1 }])
    expect(data['reverse_shares']).toMatchObject([{ name: `request of ${username}` }])
    expect(data['files']?.map(({ name }) => name).sort()).toEqual([
      `for ${username}.txt`,
      `of ${username}.txt`,
    ])
    await vi.waitFor(async () => {
      const { data: again } = (await take(ann.client)).body as Export
      const actions = again['audit_entries']?.map(({ action }) => action)
      expect(actions).toEqual(expect.arrayContaining(['totp.enabled', 'user.data_exported']))
    }, 20_000)
  })

  test('is nothing of anybody else', async () => {
    const { text } = await take(ann.client)
    for (const part of [bob.id, bob.account.username, bob.shareId, bob.receivedId]) {
      expect(text).not.toContain(part)
    }
    for (const part of [ann.id, ann.account.username, ann.shareId, ann.receivedId]) {
      expect(text).toContain(part)
    }
  })

  test('is not told to who is not signed in', async () => {
    expect((await take(createClient(floe.url))).status).toBe(403)
  })

  test('goes with it, all but its lines of the audit log', async () => {
    const { client, account, id, shareId, receivedId } = await settle()
    const parts = [id, account.username, account.email, shareId, receivedId]
    const holders = async () => {
      const tables = await withDataDirectory(floe.dataDirectory, readRows)
      return [...tables].flatMap(([table, rows]) => {
        const text = JSON.stringify(rows)
        return parts.some((part) => text.includes(part)) ? [table] : []
      })
    }
    expect(await holders()).toEqual(
      expect.arrayContaining(['users', 'shares', 'reverse_shares', 'api_tokens', 'files']),
    )
    expect((await client.send('DELETE', '/api/users/me')).status).toBe(200)
    await expect.poll(holders, { interval: 500 }).toEqual(['audit_entries'])
    for (const link of [shareId, receivedId]) {
      const gone = await createClient(floe.url).send('GET', `/api/shares/${link}/metaData`)
      expect(gone.status).toBe(404)
    }
    const { email, password } = account
    const again = await createClient(floe.url).send('POST', '/api/auth/signIn', {
      json: { email, password },
    })
    expect(again.status).toBe(401)
    // Others keep theirs.
    expect((await bob.client.send('GET', `/api/shares/${bob.shareId}/from-owner`)).status).toBe(200)
  })
})
