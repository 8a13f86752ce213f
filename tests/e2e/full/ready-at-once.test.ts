import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { dropOn, writeHole } from '../harness/files.ts'
import { configure } from '../harness/people.ts'
import { fileRow, shareButton, shareOptions } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const SIZE_BYTES = 2 ** 30
const TIMEOUT_MS = 300_000
/** From the press on Share to the link, on a machine that does nothing else. */
const MOST_MS = 1_000

const journey = useJourney()
let file: string

beforeAll(async () => {
  const admin = await journey.visitAsAdministrator()
  await configure(admin, { 'share.maxSize': 2 * SIZE_BYTES })
  await admin.leave()
  file = join(journey.folder, 'survey.img')
  await writeHole(file, SIZE_BYTES)
})

test(
  '1 GiB that was dropped is ready at once when its details were typed meanwhile',
  { timeout: TIMEOUT_MS },
  async () => {
    const { page, leave } = await journey.visitAsMember()
    await page.goto('/upload')
    const target = page.getByRole('heading', { name: 'Drop files or folders here' })
    await dropOn(page, target, [file])
    await fileRow(page, 'survey.img').waitFor()
    const startedAt = performance.now()
    const options = shareOptions(page)
    await options.getByRole('button', { name: 'Name and description' }).click()
    await options.getByRole('textbox', { name: 'Name' }).fill('Survey of the fjord')
    const note = options.getByRole('textbox', { name: 'Description' })
    const arrived = page.getByRole('listitem').getByLabel('Uploaded')
    let typed = 0
    while (!(await arrived.isVisible())) {
      // At the pace of a person, for as long as the upload takes.
      await note.fill('')
      await note.pressSequentially('Depths and currents', { delay: 100 })
      typed += 1
    }
    const typedForMs = performance.now() - startedAt
    expect(typed).toBeGreaterThan(0)

    const pressedAt = performance.now()
    await shareButton(page).click()
    await page.getByRole('dialog', { name: 'Your share is ready' }).waitFor()
    const waitedMs = performance.now() - pressedAt
    console.log(
      `typed for ${Math.round(typedForMs)} ms, then ready after ${Math.round(waitedMs)} ms`,
    )
    // A machine that takes long for the upload takes longer for its end; nothing may wait for more.
    expect(waitedMs).toBeLessThan(Math.max(MOST_MS, typedForMs / 10))
    await leave()
  },
)
