import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from '../harness/barriers.ts'
import { download } from '../harness/files.ts'
import type { Member } from '../harness/journey.ts'
import { pairwiseLooks } from '../harness/looks.ts'
import { useJourney } from '../harness/use-journey.ts'

const run = promisify(execFile)
const journey = useJourney()
let member: Member
let made: Locator

beforeAll(async () => {
  member = await journey.visitAsMember()
  const { page } = member
  await page.goto('/account')
  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog', { name: 'New token' })
  await form.getByLabel('Name').fill('Screenshots')
  await form.getByRole('button', { name: 'Create token' }).click()
  made = page.getByRole('dialog', { name: 'Your new token' })
  await made.waitFor()
})

/** What is saved at a press. */
async function saveFile(name: string) {
  const [saved] = await Promise.all([
    member.page.waitForEvent('download'),
    made.getByRole('button', { name }).click(),
  ])
  return { name: saved.suggestedFilename(), path: await saved.path() }
}

interface Uploader {
  RequestMethod: string
  RequestURL: string
  Headers: Record<string, string>
  Body: string
  FileFormName: string
  URL: string
  DeletionURL: string
}

/** As ShareX fills `{json:…}` in. */
function fill(pattern: string, response: Record<string, unknown>): string {
  return pattern.replaceAll(/\{json:(\w+)\}/g, (_, member: string) => String(response[member]))
}

const picture = randomBytes(70_000)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('a ShareX file from the page uploads, links and takes back', async () => {
  await made.getByLabel('Use it with').selectOption('ShareX')
  const { name, path } = await saveFile('Download ShareX file')
  expect(name).toMatch(/^floe-.*\.sxcu$/)
  const uploader = JSON.parse(await readFile(path, 'utf8')) as Uploader
  expect(uploader.Body).toBe('MultipartFormData')
  const body = new FormData()
  body.append(
    uploader.FileFormName,
    new File([picture], 'Desktop 2026-11-27.png', { type: 'image/png' }),
  )
  const { RequestURL, RequestMethod: method, Headers: headers } = uploader
  const response = await fetch(RequestURL, { method, headers, body })
  expect(response.status).toBe(201)
  const said = (await response.json()) as Record<string, unknown>

  const visitor = await journey.visit()
  await visitor.page.goto(fill(uploader.URL, said))
  const link = visitor.page.getByRole('link', { name: 'Download Desktop 2026-11-27.png' })
  expect(await download(visitor.page, link)).toMatchObject({ sha256: sha256(picture) })

  await visitor.page.goto(fill(uploader.DeletionURL, said))
  await visitor.page.getByRole('button', { name: 'Delete' }).click()
  await visitor.page.getByText('Share deleted').waitFor()
  await visitor.leave()
})

test.each(['Flameshot', 'grim'])(
  'a script for %s shares what it takes, and prints the link alone',
  async (program) => {
    await made.getByLabel('Use it with').selectOption('Screenshots')
    const { path } = await saveFile(`Script for ${program}`)
    // The programs themselves need a screen.
    const programs = join(journey.folder, `bin-${program}`)
    await mkdir(programs)
    await writeFile(join(programs, 'picture'), picture)
    for (const name of ['flameshot', 'grim', 'slurp']) {
      const stub = `#!/bin/sh\ncat '${join(programs, 'picture')}'\n`
      await writeFile(join(programs, name), name === 'slurp' ? '#!/bin/sh\necho 0,0 1x1\n' : stub)
      await chmod(join(programs, name), 0o755)
    }
    const env = { PATH: `${programs}:/usr/bin:/bin`, TMPDIR: journey.folder }
    const { stdout, stderr } = await run('sh', [path], { env })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^http:\/\/\S+\/s\/\S+\n$/)
    const visitor = await journey.visit()
    await visitor.page.goto(stdout.trim())
    const link = visitor.page.getByRole('link', { name: /^Download screenshot-[\d-]+\.png$/ })
    expect(await download(visitor.page, link)).toMatchObject({ sha256: sha256(picture) })
    await visitor.leave()
  },
)

test('nobody meets a barrier among the tools of a token', async () => {
  for (const tool of ['ShareX', 'Screenshots', 'Command line']) {
    await made.getByLabel('Use it with').selectOption(tool)
    const looks = pairwiseLooks.ltr
    expect(await findBarriers(member.page, `token for ${tool}`, { looks })).toEqual([])
  }
})
