import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { colourPng, isFullRun, type RunningFloe, startFloe } from '@floe/testing'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { createClient } from '../world/http-client.ts'
import {
  ALICE,
  dataOf,
  files,
  hashes,
  LOSSES,
  SESSION,
  TOTP_SECRET,
} from '../world/pingvin-data.ts'
import { importPingvin, lossesOf, usePingvin } from '../world/pingvin.ts'
import { beginSending, complete, openSender } from '../world/reverse-shares.ts'
import { openShare } from '../world/shares.ts'
import { beginSignIn, finishSignIn, totpCode } from '../world/totp.ts'
import { verify } from '../world/verify.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const versions = isFullRun ? (['A', 'B'] as const) : (['B'] as const)
const cases = versions.flatMap((version) =>
  ownArrangements.map((arrangement) => ({ version, arrangement })),
)

describe.each(cases)(
  'npm run import, version $version, $arrangement',
  ({ version, arrangement }) => {
    let floe: RunningFloe
    let source: string
    const write = usePingvin()

    beforeAll(async () => {
      source = await write(dataOf(version))
      await mkdir(join(source, 'images'))
      await writeFile(join(source, 'images/logo.png'), colourPng(64, [200, 30, 30]))
      await writeFile(join(source, 'images/logo-dark.png'), colourPng(64, [30, 30, 200]))
      floe = await startFloe({ arrangement })
    })
    afterAll(() => floe?.stop())

    const run = (...args: string[]) => importPingvin(floe, source, ...args)
    const visit = async (id: string, password?: string) => {
      const visitor = createClient(floe.url)
      const opened = await openShare(visitor, id, password)
      return { visitor, opened }
    }

    test('tells as JSON what would come, and brings none of it', async () => {
      const copiedBytes = files.reduce((sum, { content }) => sum + content.length, 4)
      const { code, lines, errors } = await run('--dry-run', '--json')
      expect(JSON.parse(lines.join('\n')), errors).toMatchObject({
        isDryRun: true,
        settings: 3,
        accounts: 2,
        reverseShares: 1,
        shares: 5,
        files: 6,
        conflicts: [],
        bytes: copiedBytes,
        estimate: { copiedBytes, freeBytes: expect.any(Number), seconds: 1 },
      })
      expect(code).toBe(1)
      expect((await visit('Holiday_2024')).opened.status).toBe(404)
    })

    test('brings all but what it lists, and says where its report is', async () => {
      const verdict = await run()
      expect(verdict).toMatchObject({ code: 1, errors: '' })
      expect(lossesOf(verdict)).toEqual(LOSSES.toSorted())
      const [html, json] = verdict.lines.slice(-2)
      expect(html).toBe(join(floe.dataDirectory, 'import-report.html'))
      const report = await readFile(json ?? '', 'utf8')
      expect((JSON.parse(report) as { shares: number }).shares).toBe(5)
      for (const secret of ['smtp secret', TOTP_SECRET, SESSION, hashes.share])
        expect(report).not.toContain(secret)
    })

    test('accounts sign in with password and second factor', async () => {
      const alice = await signIn(floe.url, {
        email: 'alice@example.org',
        password: 'old password 1',
      })
      expect((await alice.send('GET', '/api/users/me')).body).toMatchObject({
        id: ALICE,
        username: 'alice',
        isAdmin: true,
      })
      const step = await beginSignIn(floe.url, {
        username: 'bob',
        email: 'bob@example.org',
        password: 'old password 2',
      })
      expect((await finishSignIn(step, totpCode(TOTP_SECRET))).status).toBe(200)
    })

    test('settings show in the administration, with secrets sealed', async () => {
      const admin = await signIn(floe.url, {
        email: 'alice@example.org',
        password: 'old password 1',
      })
      const general = await admin.send('GET', '/api/configs/admin/general')
      expect(general.body).toContainEqual(
        expect.objectContaining({ key: 'general.appName', value: 'Old name' }),
      )
      const share = await admin.send('GET', '/api/configs/admin/share')
      expect(share.body).toContainEqual(
        expect.objectContaining({ key: 'share.maxExpiration', value: '336' }),
      )
      const smtp = await admin.send('GET', '/api/configs/admin/smtp')
      expect(smtp.text).not.toContain('smtp secret')
    })

    test.each([
      ['/img/logo.png', [200, 30, 30]],
      ['/img/logo-dark.png', [30, 30, 200]],
    ])('the logo is theirs, light and dark: %s', async (path, colour) => {
      const { bytes } = await createClient(floe.url).send('GET', path)
      expect([...PNG.sync.read(bytes).data.subarray(0, 3)]).toEqual(colour)
    })

    test('a browser that was signed in goes on', async () => {
      const browser = createClient(floe.url)
      browser.cookies.set('refresh_token', SESSION)
      expect((await browser.send('POST', '/api/auth/token')).status).toBe(200)
      expect((await browser.send('GET', '/api/users/me')).body).toMatchObject({ id: ALICE })
    })

    test('a share opens at its old address with its password, and its files are exact', async () => {
      expect((await visit('Holiday_2024', 'wrong')).opened.status).toBe(403)
      const { visitor, opened } = await visit('Holiday_2024', 'share password')
      expect(opened.status, opened.text).toBe(200)
      const share = await visitor.send('GET', '/api/shares/Holiday_2024')
      const listed = (share.body as { files: { id: string; name: string }[] }).files
      expect(listed.map(({ id }) => id).toSorted()).toEqual(files.map(({ id }) => id).toSorted())
      for (const { id, content } of files) {
        const { bytes } = await visitor.send('GET', `/api/shares/Holiday_2024/files/${id}`)
        expect(sha256(bytes)).toBe(sha256(content))
      }
    })

    test('views, limits and recipients are as they were', async () => {
      const alice = await signIn(floe.url, {
        email: 'alice@example.org',
        password: 'old password 1',
      })
      const { body } = await alice.send('GET', '/api/shares/Holiday_2024/from-owner')
      expect(body).toMatchObject({
        id: 'Holiday_2024',
        name: 'Holiday',
        views: 8,
        security: { maxViews: 9, passwordProtected: true },
        recipients: ['carol@example.org'],
      })
    })

    test('unfinished and removed shares are not open', async () => {
      expect((await visit('unfinished')).opened.status).toBe(404)
      expect((await visit('taken-down')).opened.body).toMatchObject({ error: 'share_removed' })
    })

    test('a reverse share takes files', async () => {
      const sender = openSender({ url: floe.url }, 'send-to-bob')
      const id = await beginSending(sender, { 'new.txt': 'new' })
      expect((await complete(sender, id)).status).toBe(202)
    })

    test('a second run brings only what is new, and leaves the rest as it is', async () => {
      const { code, lines } = await run('--json')
      expect(code).toBe(1)
      expect(JSON.parse(lines.join('\n'))).toMatchObject({
        settings: 0,
        accounts: 0,
        reverseShares: 0,
        shares: 0,
        files: 0,
        conflicts: [],
      })
    })

    test('what is stored is as the database says', async () => {
      const { code, lines } = await verify(floe.dataDirectory, '--deep')
      expect(lines).toEqual([expect.stringMatching(/: no differences$/)])
      expect(code).toBe(0)
    })
  },
)
