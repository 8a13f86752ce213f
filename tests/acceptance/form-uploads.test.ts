import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { makeToken } from './world/api-tokens.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { codeOf, openShare } from './world/shares.ts'

const run = promisify(execFile)

interface Told {
  id: string
  url: string
  deleteUrl: string
  files: { name: string; size: number }[]
}

onOneArrangement('split', 'a form with files', (floe) => {
  let folder: string
  let owner: Client
  let token: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'floe-form-'))
    owner = await signUp(floe)
    ;({ token } = await makeToken(owner, { scopes: ['shares:write'] }))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function file(name: string, content: Buffer | string): Promise<string> {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }

  async function post(...args: string[]): Promise<string> {
    const headers = ['-H', `Authorization: Bearer ${token}`, '-H', 'Accept: application/json']
    return (await run('curl', ['-sS', ...headers, ...args, `${floe.url}/up/`])).stdout
  }

  const sharesOf = async (client: Client) =>
    ((await client.send('GET', '/api/shares')).body as { id: string }[]).map(({ id }) => id)

  async function read(id: string, password?: string) {
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, id, password)).status).toBe(200)
    const { files } = (await visitor.send('GET', `/api/shares/${id}`)).body as {
      files: { id: string; name: string }[]
    }
    return Promise.all(
      files.map(async ({ id: fileId, name }) => ({
        name,
        bytes: (await visitor.send('GET', `/api/shares/${id}/files/${fileId}`)).bytes,
      })),
    )
  }

  test('becomes one share of all of them, on the terms of the fields ahead', async () => {
    const contents = [randomBytes(1_500_000), Buffer.alloc(0), Buffer.from('small')]
    const names = ['large.bin', 'empty.txt', 'Ünï 🏖.txt']
    const paths = await Promise.all(contents.map((content, index) => file(`${index}`, content)))
    const told: Told = JSON.parse(
      await post(
        ...['-F', 'password=open sesame', '-F', 'expires=2-days'],
        ...paths.flatMap((path, index) => ['-F', `file=@${path};filename=${names[index]}`]),
      ),
    )
    expect(told.files.map(({ name }) => name).sort()).toEqual(names.toSorted())
    const stored = await read(told.id, 'open sesame')
    for (const [index, name] of names.entries()) {
      expect(stored.find((one) => one.name === name)?.bytes).toEqual(contents[index])
    }
  })

  test.each([
    ['no file', ['-F', 'name=nothing'], /is required/],
    ['terms behind a file', ['-F', 'file=@SMALL', '-F', 'password=open sesame'], /ahead/],
    ['terms that are none', ['-F', 'expires=soon', '-F', 'file=@SMALL'], /expires/],
    ['another kind of body', ['-H', 'Content-Type: text/plain', '-d', 'x'], /Unsupported media/],
    [
      'a form without an end',
      ['-H', 'Content-Type: multipart/form-data; boundary=x', '-d', 'x'],
      /form/,
    ],
  ])('is refused with %s, and leaves nothing', async (_, args, message) => {
    const mine = await signUp(floe)
    const { token: own } = await makeToken(mine, { scopes: ['shares:write'] })
    const small = await file('small', 'small')
    const { stdout } = await run('curl', [
      ...['-sS', '-X', 'POST', '-H', `Authorization: Bearer ${own}`],
      ...args.map((arg) => arg.replace('SMALL', small)),
      `${floe.url}/up/`,
    ])
    expect(stdout).toMatch(message)
    expect(await sharesOf(mine)).toEqual([])
    // What was begun is removed by a job.
    await expect
      .poll(async () => (await mine.send('GET', '/api/users/me/storage')).body)
      .toMatchObject({ usedBytes: 0 })
  })

  test('tells an address that deletes the share, by a press or by DELETE, and never by GET', async () => {
    const small = await file('small', 'small')
    for (const method of ['POST', 'DELETE']) {
      const told: Told = JSON.parse(await post('-F', `file=@${small}`))
      const path = new URL(told.deleteUrl).pathname
      const stranger = createClient(floe.url)
      expect((await stranger.send('GET', path)).status).toBe(200)
      const wrong = await stranger.send(method, `${path.slice(0, -3)}AAA`)
      expect(codeOf(wrong)).toBe('share_not_found')
      expect(await sharesOf(owner)).toContain(told.id)
      expect((await stranger.send(method, path)).status).toBe(204)
      expect(await sharesOf(owner)).not.toContain(told.id)
      expect(codeOf(await stranger.send(method, path))).toBe('share_not_found')
    }
  })
})
