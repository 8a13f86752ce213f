import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CommandLine, installCommandLine } from '../../acceptance/world/cli.ts'
import { hashFile, writeRandomFile } from '../harness/files.ts'
import type { Member } from '../harness/journey.ts'
import { beginShare, takeLine, totalProgress, waitForProgress } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const SIZE_BYTES = 24_000_000

const journey = useJourney()
let cli: CommandLine
let member: Member

beforeAll(async () => {
  cli = await installCommandLine()
  member = await journey.visitAsMember()
})
afterAll(() => cli.remove())

/** Signs in to the Floe of the journey, as whom the page is open for. */
async function login(answer: 'Approve' | 'Refuse') {
  const child = cli.start(['login', journey.floe.url])
  child.stdin.end()
  let said = ''
  const link = await new Promise<string>((resolve) => {
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      const [found] = /http:\S+/.exec(said) ?? []
      if (said.includes('approve the code') && found) resolve(found)
    })
  })
  const { page } = member
  // The site calls itself by another name of this machine than the browser is signed in at.
  const { pathname, search } = new URL(link)
  await page.goto(pathname + search)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: answer }).click()
  const [stdout, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { code, stdout, stderr: said }
}

test('somebody signs in by a code that the browser approves, and not without', async () => {
  const refused = await login('Refuse')
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  expect(refused.stderr).toContain('The request was refused.')
  const approved = await login('Approve')
  expect(approved).toMatchObject({ code: 0, stdout: '' })
  expect(approved.stderr).toContain(`as ${member.person.username}.`)
  expect((await cli.run(['whoami'])).stdout).toContain(member.person.username)
})

/** As the server lists them to the very token of the command line. */
async function listUploads() {
  const config = await readFile(join(cli.folder, '.config/floe/config.json'), 'utf8')
  const { servers } = JSON.parse(config) as { servers: Record<string, { token: string }> }
  const headers = { Authorization: `Bearer ${servers[journey.floe.url]?.token}` }
  const response = await fetch(new URL('/api/uploads', journey.floe.url), { headers })
  return (await response.json()) as { shareId: string; offsetBytes: number }[]
}

test('an upload that a browser began is finished from the very byte', async () => {
  const { page } = member
  const file = join(journey.folder, 'film.mov')
  const sha256 = await writeRandomFile(file, { sizeBytes: SIZE_BYTES, seed: 'film' })
  await (await takeLine(page)).set({ uploadBytesPerSecond: SIZE_BYTES / 10 })
  await beginShare(page, { files: [file], link: 'film-of-a-browser' })
  await waitForProgress(totalProgress(page), 40)
  await page.close()

  const unfinished = await expect
    .poll(async () => (await listUploads())[0]?.offsetBytes)
    .toBeGreaterThan(SIZE_BYTES * 0.3)
    .then(listUploads)
  const elsewhere = join(cli.folder, 'film.mov')
  await copyFile(file, elsewhere)
  const sent = await cli.run(['send', elsewhere, '--json'])
  expect(sent.code, sent.stderr).toBe(0)
  const { id, url } = JSON.parse(sent.stdout) as { id: string; url: string }
  expect(id).toBe(unfinished[0]?.shareId)
  const got = await cli.run(['get', url, '-o', 'received'])
  expect(got.code, got.stderr).toBe(0)
  expect(await hashFile(join(cli.folder, 'received/film.mov'))).toBe(sha256)
  expect(await listUploads()).toEqual([])
})
