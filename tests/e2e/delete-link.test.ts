import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import type { Member } from './harness/journey.ts'
import { pairwiseLooks } from './harness/looks.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let member: Member

beforeAll(async () => {
  member = await journey.visitAsMember()
})

/** As a screenshot tool sends it. */
async function send(): Promise<{ id: string; url: string; deleteUrl: string }> {
  const response = await member.context.request.post('/up/', {
    headers: { Accept: 'application/json' },
    multipart: { file: { name: 'screen.png', mimeType: 'image/png', buffer: Buffer.from('png') } },
  })
  expect(response.status(), await response.text()).toBe(201)
  return (await response.json()) as { id: string; url: string; deleteUrl: string }
}

test('whoever opens the address that deletes is asked, and then the link is dead', async () => {
  const { id, deleteUrl } = await send()
  const { page, leave } = await journey.visit()
  await page.goto(new URL(deleteUrl).pathname)
  await page.getByRole('heading', { name: `Delete ${id}?` }).waitFor()
  expect(await findBarriers(page, 'address that deletes', { looks: pairwiseLooks.ltr })).toEqual([])
  expect((await page.request.get(`/api/shares/${id}/metaData`)).status()).not.toBe(404)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Share deleted').waitFor()
  expect((await page.request.get(`/api/shares/${id}/metaData`)).status()).toBe(404)
  await leave()
})
