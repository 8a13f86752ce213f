import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type RunningFloe,
  type SmtpCatcher,
  startFloe,
  startSmtpCatcher,
  writePalmr,
  writeSqlite,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn, signUp } from '../../world/accounts.ts'
import { runCommand } from '../../world/command.ts'
import { createClient } from '../../world/http-client.ts'
import { readPasswordToken, requestPasswordReset, sendMailsTo } from '../../world/mail.ts'
import { lossesOf } from '../../world/pingvin.ts'
import { openShare, readFiles } from '../../world/shares.ts'
import { verify } from '../../world/verify.ts'

const BCRYPT = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
const ANN = { email: 'ann@example.org', password: 'a new password' }

const rows = {
  users: [{ id: 'u1', username: 'ann', email: ANN.email, password: BCRYPT, isAdmin: 1 }],
  shares: [
    { id: 'cshare1', name: 'Holiday', securityId: 's1', creatorId: 'u1' },
    { id: 'cshare2', securityId: 's2', creatorId: 'u1' },
    { id: 'cshare3', securityId: 's3', creatorId: 'u1' },
  ],
  share_security: [{ id: 's1' }, { id: 's2', password: BCRYPT }, { id: 's3' }],
  share_aliases: [
    { id: 'a1', alias: 'holiday', shareId: 'cshare1' },
    { id: 'a2', alias: 'secret', shareId: 'cshare2' },
    { id: 'a3', alias: 'my trip', shareId: 'cshare3' },
  ],
  folders: [{ id: 'd1', name: 'sea', userId: 'u1' }],
  files: [
    { id: 'f1', name: 'a.txt', size: 3, objectName: 'u1/a.txt', userId: 'u1' },
    { id: 'f2', name: 'b.txt', size: 3, objectName: 'u1/b.txt', userId: 'u1', folderId: 'd1' },
  ],
  _ShareFiles: ['cshare1', 'cshare2', 'cshare3'].map((B) => ({ A: 'f1', B })),
  _ShareFolders: [{ A: 'd1', B: 'cshare1' }],
}

describe('npm run import -- palmr', () => {
  let floe: RunningFloe
  let catcher: SmtpCatcher
  let source: string
  const run = () => runCommand('import', { DATA_DIR: floe.dataDirectory }, 'palmr', source)

  beforeAll(async () => {
    source = await writePalmr({ rows, files: { 'u1/a.txt': 'one', 'u1/b.txt': 'two' } })
    catcher = await startSmtpCatcher()
    floe = await startFloe({ arrangement: 'embedded' })
    await sendMailsTo(catcher, await signUp(floe))
    const verdict = await run()
    expect(verdict).toMatchObject({ code: 1, errors: '' })
    expect(lossesOf(verdict)).toEqual([
      expect.stringMatching(/^account ann has a bcrypt hash/),
      'settings are left out, and the logo',
      'share my trip has the link my-trip-2 here, where no share can have its own',
      expect.stringMatching(/^share secret is left out: its password has a bcrypt hash/),
    ])
  })
  afterAll(async () => {
    await floe?.stop()
    await catcher?.stop()
    await rm(source, { recursive: true, force: true })
  })

  test('opens shares at their addresses with all bytes, and none that had a password', async () => {
    const visitor = createClient(floe.url)
    expect(await visitor.send('GET', '/s/holiday')).toMatchObject({
      status: 307,
      headers: { location: '/share/holiday' },
    })
    expect((await openShare(visitor, 'holiday')).status).toBe(200)
    expect(await readFiles(visitor, 'holiday')).toEqual({ 'a.txt': 'one', 'sea/b.txt': 'two' })
    expect((await openShare(visitor, 'my-trip-2')).status).toBe(200)
    expect(await readFiles(visitor, 'my-trip-2')).toEqual({ 'a.txt': 'one' })
    expect((await openShare(visitor, 'secret')).status).toBe(404)
    const { lines } = await verify(floe.dataDirectory, '--deep')
    expect(lines).toEqual([expect.stringMatching(/: no differences$/)])
  })

  test('lets accounts in by the link of a forgotten password, with what they had', async () => {
    await requestPasswordReset(floe.url, ANN.email)
    const token = await readPasswordToken(catcher, ANN.email)
    const json = { token, password: ANN.password }
    const reset = await createClient(floe.url).send('POST', '/api/auth/resetPassword', { json })
    expect(reset.status, reset.text).toBeLessThan(300)
    const ann = await signIn(floe.url, ANN)
    expect((await ann.send('GET', '/api/users/me')).body).toMatchObject({ isAdmin: true })
    const { body } = await ann.send('GET', '/api/shares')
    expect((body as { id: string }[]).map(({ id }) => id).toSorted()).toEqual([
      'holiday',
      'my-trip-2',
    ])
  })

  test('brings nothing a second time', async () => {
    const { lines } = await run()
    expect(lines.join('\n')).toMatch(/Shares +0\n/)
  })

  test('refuses the folder of another product with code 2', async () => {
    const other = await writePalmr({ rows: {} })
    const path = join(other, 'prisma', 'palmr.db')
    await rm(path)
    await writeSqlite(path, 'create table notes (id text)', {})
    const { code, errors } = await runCommand(
      'import',
      { DATA_DIR: floe.dataDirectory },
      ...['palmr', other],
    )
    expect({ code, errors }).toEqual({
      code: 2,
      errors: expect.stringMatching(/^Nothing was imported: this is no database of Palmr: /),
    })
    await rm(other, { recursive: true })
  })
})
