import { createHash } from 'node:crypto'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  colourPng,
  dumpDataDirectory,
  prepareReleasedSchema,
  queryDataDirectory,
  type ReleasedContent,
  type RunningFloe,
  startFloe,
} from '@floe/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Account, signUp } from '../world/accounts.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { changeSettings } from '../world/mail.ts'
import { beginSending, complete, createReverseShare, openSender } from '../world/reverse-shares.ts'
import { addFile, createShare, openShare, publishShare } from '../world/shares.ts'
import { enrolTotp } from '../world/totp.ts'
import { append, beginUpload, offsetOf } from '../world/tus.ts'

const accountOf = (username: string): Account => ({
  username,
  email: `${username}@floe.test`,
  password: `password of ${username}`,
})
const anna = accountOf('anna')
const ben = accountOf('ben')

const files = {
  'empty.txt': '',
  'hello.txt': 'Hello, Floe',
  'folder/long.txt': 'The same line again and again.\n'.repeat(10_000),
}
const half = 'Half of it.\n'.repeat(20_000)

async function fillSettings(admin: Client): Promise<void> {
  await changeSettings(admin, [
    { key: 'general.appName', value: 'Floe of before' },
    { key: 'smtp.enabled', value: true },
    { key: 'smtp.host', value: '127.0.0.1' },
    // Discards: nobody listens.
    { key: 'smtp.port', value: 9 },
    { key: 'smtp.email', value: 'floe@floe.test' },
    { key: 'smtp.username', value: 'floe' },
    { key: 'smtp.password', value: 'a sealed secret' },
    { key: 'email.enableShareEmailRecipients', value: true },
  ])
}

/** A share of each kind. */
async function fillShares(owner: Client): Promise<void> {
  const expiration = 'never'
  await publishShare(owner, files, { id: 'plain', expiration, name: 'All kinds' })
  await publishShare(
    owner,
    { 'kept.txt': 'kept' },
    { id: 'locked', expiration: '7-days', security: { password: 'of a share', maxViews: 100 } },
  )
  await publishShare(
    owner,
    { 'picture.png': colourPng(40, [200, 80, 20]) },
    { id: 'picture', expiration },
  )
  await publishShare(owner, { 'old.txt': 'old' }, { id: 'expired', expiration: '1-hour' })
  const recipients = await owner.send('POST', '/api/shares', {
    json: { id: 'sent', expiration: '1-day', recipients: ['eva@floe.test', 'max@floe.test'] },
  })
  expect(recipients.status, recipients.text).toBe(201)
  await addFile(owner, 'sent', 'for you.txt', 'for you')
  expect((await owner.send('POST', '/api/shares/sent/complete')).status).toBe(202)
  await createShare(owner, { id: 'draft' })
  await addFile(owner, 'draft', 'first.txt', 'first')
  await createShare(owner, { id: 'arriving', expiration })
  await addFile(owner, 'arriving', 'first.txt', 'first')
  const announced = { fileCount: 2, size: 10, files: [{ name: 'second.txt', size: 5 }] }
  const early = await owner.send('POST', '/api/shares/arriving/openEarly', { json: { announced } })
  expect(early.status, early.text).toBe(202)
}

async function describeShare(
  url: string,
  { id, password, status }: { id: string; password?: string; status: number },
): Promise<ReleasedContent['shares'][number]> {
  const visitor = createClient(url)
  const opened = await openShare(visitor, id, password)
  const told = { id, ...(password !== undefined && { password }), status, files: [] }
  if (status !== 200) return told
  expect(opened.status, opened.text).toBe(status)
  const { body } = await visitor.send('GET', `/api/shares/${id}`)
  const listed = (body as { files: { id: string; name: string }[] }).files
  const described = listed.map(async (file) => {
    const { bytes } = await visitor.send('GET', `/api/shares/${id}/files/${file.id}`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { id: file.id, name: file.name, size: bytes.length, sha256 }
  })
  return { ...told, files: await Promise.all(described) }
}

async function fill(floe: RunningFloe): Promise<ReleasedContent> {
  const admin = await signUp(floe, anna)
  const totpSecret = await enrolTotp(admin, anna)
  const other = await signUp(floe, ben)
  await fillSettings(admin)
  await fillShares(admin)

  const path = await beginUpload(admin, {
    shareId: 'draft',
    filename: 'half.txt',
    lengthBytes: half.length,
  })
  await append(admin, path, 0, half.slice(0, half.length / 2))

  const locked = await createReverseShare(other, { name: 'Send me', maxUseCount: 5 })
  const unused = await createReverseShare(other, { password: 'of a link' })
  const sender = openSender(admin, locked)
  const received = await beginSending(sender, { 'received.txt': 'received' }, { id: 'received' })
  expect((await complete(sender, received)).status).toBe(202)

  const shares = []
  for (const share of [
    { id: 'plain', status: 200 },
    { id: 'locked', password: 'of a share', status: 200 },
    { id: 'picture', status: 200 },
    { id: 'sent', status: 200 },
    { id: 'received', status: 200 },
    { id: 'arriving', status: 200 },
    { id: 'expired', status: 404 },
    { id: 'draft', status: 404 },
  ]) {
    shares.push(await describeShare(floe.url, share))
  }
  return {
    accounts: [{ ...anna, totpSecret }, ben],
    shares,
    reverseShares: [locked, unused],
    uploads: [{ name: 'half.txt', offset: await offsetOf(admin, path) }],
  }
}

test('an installation with something of each kind', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  const floe = await startFloe({ arrangement: 'embedded' })
  onTestFinished(() => floe.stop())
  const content = await fill(floe)
  await vi.waitFor(
    async () => {
      const done = `select from audit_entries where action = 'share.created'
                    union all select from thumbnails where state = 'ready'`
      expect(await queryDataDirectory(floe.dataDirectory, done)).not.toHaveLength(0)
      const waiting = 'select from files where sha256 is null union all select from outbox'
      expect(await queryDataDirectory(floe.dataDirectory, waiting)).toHaveLength(0)
    },
    { timeout: 30_000, interval: 200 },
  )
  await floe.shutDown()
  await queryDataDirectory(
    floe.dataDirectory,
    `update shares set expires_at = now() - interval '1 minute' where id = 'expired'`,
  )

  const target = await prepareReleasedSchema(version)
  await writeFile(join(target, 'database.sql'), await dumpDataDirectory(floe.dataDirectory))
  await writeFile(join(target, 'content.json'), `${JSON.stringify(content, null, 2)}\n`)
  await cp(join(floe.dataDirectory, 'objects'), join(target, 'objects'), { recursive: true })
  await cp(join(floe.dataDirectory, 'secret.key'), join(target, 'secret.key'))
})
