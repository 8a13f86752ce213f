import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routes } from '@floe/contracts'
import { colourPng, findReplicas } from '@floe/testing'
import { beforeAll, expect, test } from 'vitest'
import { newAccount, signInAsAdmin, signUp } from '../world/accounts.ts'
import { onOneArrangement } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { findProcesses, listProcesses } from '../world/processes.ts'
import { codeOf, publishShare } from '../world/shares.ts'

onOneArrangement('embedded', 'the appliance', (floe) => {
  let owner: Client
  let admin: Client
  beforeAll(async () => {
    owner = await signUp(floe)
    admin = await signInAsAdmin(floe)
  })

  /** What opens the parts of this Floe to each other. */
  async function listSecrets(): Promise<string[]> {
    const environments = findProcesses(floe.dataDirectory).map(({ environment }) => environment)
    const given = environments.flatMap((variables) => [
      ...['INTERNAL_SECRET', 'S3_SECRET_KEY'].map((name) => variables[name]),
      new URL(variables['DATABASE_URL'] ?? 'postgres://localhost').password,
    ])
    const files = await readdir(join(floe.dataDirectory, 'postgres'))
    const paths = files.map((name) => join('postgres', name, 'password'))
    const kept = await Promise.all(
      [...paths, 'secret.key'].map((path) =>
        readFile(join(floe.dataDirectory, path), 'utf8').catch(() => ''),
      ),
    )
    const found = [...given, ...kept, floe.admin.password].map((text) => text?.trim() ?? '')
    return [...new Set(found.filter((text) => text !== ''))]
  }

  test('CVE-2023-34362: what is typed is a value, never a part of a statement', async () => {
    const stranger = createClient(floe.url)
    for (const hostile of [
      `' OR '1'='1`,
      `"; DROP TABLE users; --`,
      `1); SELECT pg_sleep(60); --`,
      `$1`,
      `%`,
      `\\'`,
    ]) {
      const encoded = encodeURIComponent(hostile)
      const signIn = await stranger.send('POST', '/api/auth/signIn', {
        json: { email: hostile, username: hostile, password: hostile },
      })
      expect(signIn.status, hostile).toBe(401)
      expect((await stranger.send('GET', `/api/shares/${encoded}`)).status, hostile).toBe(404)
      for (const list of ['/api/users', '/api/shares/all']) {
        const searched = await admin.send('GET', `${list}?search=${encoded}&limit=5`)
        expect([200, 400], `${list} ${hostile}`).toContain(searched.status)
        const sorted = await admin.send('GET', `${list}?sort=${encoded}&order=${encoded}`)
        expect(sorted.status, `${list} ${hostile}`).toBe(400)
      }
    }
    // A pattern of the database finds itself, not everything.
    const all = await admin.send('GET', '/api/users?search=%25&limit=5')
    expect(all).toMatchObject({ status: 200, body: [] })
  })

  test.each([
    ['CVE-2026-4670', (head: object, claims: object) => [encode(head), encode(claims), '']],
    [
      'CVE-2024-5806',
      (head: object, claims: object) => [encode(head), encode(claims), 'x'.repeat(43)],
    ],
  ])('%s: nobody is let in by a token they made themselves', async (_id, forge) => {
    const token = admin.cookies.get('access_token') ?? ''
    const claims = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object
    for (const alg of ['none', 'None', 'HS256', 'RS256']) {
      const forged = createClient(floe.url)
      forged.cookies.set('access_token', forge({ alg, typ: 'JWT' }, claims).join('.'))
      expect((await forged.send('GET', '/api/users')).status, alg).toBe(403)
    }
    // The parts talk to each other behind a secret, at addresses that lead nowhere from outside.
    const inside = findReplicas(floe.dataDirectory).map(({ url }) => url)
    expect(inside.length > 0).toBe(floe.arrangement === 'split')
    for (const url of [floe.url, ...inside]) {
      for (const secret of ['', 'x'.repeat(44), 'undefined']) {
        const headers = { 'X-Internal-Secret': secret }
        const path = '/internal/auth/identify'
        const response = await createClient(url).send('POST', path, { json: {}, headers })
        expect(response.status, url).toBe(404)
      }
    }
  })

  test.each([
    ['CVE-2024-4040', '<INCLUDE>/etc/passwd</INCLUDE> {/etc/passwd} {file:///etc/passwd} %include'],
    ['CVE-2024-45186', '{{7*7}} ${7*7} <%= 7*7 %> #{7*7} {constructor} {__proto__} {process.env}'],
  ])('%s: a template fills in its own placeholders and runs nothing', async (_id, text) => {
    const json = { template: 'invite', subject: text.slice(0, 200), message: `${text} {url}` }
    const preview = await admin.send('POST', '/api/configs/admin/previewEmail', { json })
    expect(preview.status, preview.text).toBe(200)
    const { subject, html } = preview.body as { subject: string; html: string }
    expect(subject).toBe(text)
    expect(html).toContain(text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    expect(html).not.toMatch(/\b49\b|root:|native code/)
    const { id } = await publishShare(owner, { [text]: 'a' }, { name: text.slice(0, 30).trim() })
    const page = await createClient(floe.url).send('GET', `/share/${id}`)
    // Times have figures of their own.
    const untimed = page.text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    expect(untimed).not.toMatch(/\b49\b|root:\w|native code/)
  })

  test('CVE-2023-49103: no address tells of the machine, its settings or its figures', async () => {
    const secrets = await listSecrets()
    for (const path of [
      ...[
        '/phpinfo.php',
        '/info',
        '/env',
        '/.env',
        '/.git/config',
        '/actuator/env',
        '/server-status',
      ],
      ...['/metrics', '/debug/pprof', '/debug', '/config.json', '/package.json', '/secret.key'],
      ...['/api/env', '/api/debug', '/api/metrics', '/api/phpinfo', '/api/configs/admin/smtp'],
    ]) {
      const { status, text } = await createClient(floe.url).send('GET', path)
      expect(status >= 400 || /^\s*<!doctype html/i.test(text), path).toBe(true)
      expect(text, path).not.toMatch(/process_cpu|DATA_DIR|node_modules/)
      for (const secret of secrets) expect(text.includes(secret), path).toBe(false)
    }
  })

  test('CVE-2023-49105: no signature in an address opens what is closed', async () => {
    const security = { password: 'open sesame' }
    const { id, fileIds } = await publishShare(owner, { 'a.txt': 'a' }, { security })
    for (const query of [
      'OC-Credential=admin&OC-Date=2030-01-01T00:00:00Z&OC-Expires=9999&OC-Verb=GET&OC-Signature=',
      'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=x&X-Amz-Expires=9999&X-Amz-Signature=',
      'sig=&se=2030-01-01&sp=r',
      'signature=&expires=9999999999&user=admin',
    ]) {
      const response = await createClient(floe.url).send(
        'GET',
        `/api/shares/${id}/files/${fileIds[0]}?${query}`,
      )
      expect(codeOf(response), query).toBe('share_password_required')
    }
  })

  test('CVE-2024-11680: nobody but an administrator changes a setting, also during the first run', async () => {
    const changing = Object.entries(routes).filter(
      ([, { path, method }]) => path.startsWith('/api/configs') && method !== 'get',
    )
    expect(changing.length).toBeGreaterThan(4)
    for (const [name, { access }] of changing) expect(access, name).toBe('admin')
    const json = [{ key: 'general.appName', value: 'Theirs' }]
    for (const client of [createClient(floe.url), owner]) {
      for (const [method, path, body] of [
        ['PATCH', '/api/configs/admin', json],
        ['POST', '/api/configs/admin/finishSetup', { changes: json }],
        ['POST', '/api/configs/admin', json],
        ['PUT', '/api/configs/admin', json],
      ] as const) {
        const response = await client.send(method, path, { json: body })
        expect(response.status, path).toBeGreaterThanOrEqual(403)
        expect(response.status, path).toBeLessThan(500)
      }
    }
    const { text } = await createClient(floe.url).send('GET', '/api/configs')
    expect(text).not.toContain('Theirs')
    // Accounts that sign up later are no administrators, as the first one was.
    const late = await signUp(floe, newAccount())
    expect((await late.send('GET', '/api/users/me')).body).toMatchObject({ isAdmin: false })
  })

  test('CVE-2023-43621: no list of processes shows a secret, and none is handed to who needs none', async () => {
    // The program that decodes pictures is started for one.
    const { id } = await publishShare(owner, { 'a.png': colourPng(64, [9, 99, 199]) })
    const decoder = () =>
      findProcesses(floe.dataDirectory).filter(({ commandLine }) =>
        /decode-process/.test(commandLine),
      )
    await expect.poll(() => decoder().length, { timeout: 30_000 }).toBeGreaterThan(0)
    const ours = findProcesses(floe.dataDirectory)
    const secrets = await listSecrets()
    expect(secrets.length).toBeGreaterThanOrEqual(2)
    for (const { commandLine } of listProcesses()) {
      for (const secret of secrets) expect(commandLine.includes(secret)).toBe(false)
    }
    for (const { commandLine } of ours) expect(commandLine).not.toMatch(/:\/\/[^/\s]*:[^/\s]*@/)

    const isFloe = ({ commandLine }: { commandLine: string }) =>
      /(?:main|split)\.js/.test(commandLine)
    const others = ours.filter((one) => !isFloe(one))
    const programs = others.map(({ commandLine }) => /postgres|redis|decode/.exec(commandLine)?.[0])
    expect(programs).toContain('postgres')
    expect(programs.includes('redis')).toBe(floe.arrangement === 'split')
    for (const { commandLine, environment } of others) {
      for (const [name, value] of Object.entries(environment)) {
        expect(name, commandLine).not.toMatch(/SECRET|PASSWORD|DATABASE_URL|REDIS_URL|ACCESS_KEY/)
        for (const secret of secrets) expect(value.includes(secret), name).toBe(false)
      }
    }
    await owner.send('DELETE', `/api/shares/${id}`)
  })
})

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
