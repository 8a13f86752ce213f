import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hashesOf, unzip, writeTree } from './harness/files.ts'
import { type Journey, startJourney, type Visitor } from './harness/journey.ts'
import { join as joinFloe } from './harness/people.ts'
import {
  beginSending,
  finishSending,
  makeReverseShare,
  openReverseShare,
} from './harness/reverse-shares.ts'

const paths = ['Quotes/roof.txt', 'Quotes/windows/front.txt']

let journey: Journey
let owner: Visitor

beforeAll(async () => {
  journey = await startJourney()
  owner = await journey.visit()
  await joinFloe(owner)
  await writeTree(journey.folder, {
    'Quotes/roof.txt': 'two weeks, from May',
    'Quotes/windows/front.txt': 'oak',
  })
})

afterEach((context) => journey.conclude(context))

afterAll(() => journey?.end())

test('a folder sent by somebody without an account reaches the owner, until the link is used up', async () => {
  const password = 'puffin-7'
  const token = await makeReverseShare(owner.context.request, {
    name: 'Quotes for the house',
    password,
    uses: 1,
    maxBytes: 50_000_000,
    askSenderName: true,
    publicAccess: false,
  })
  // The link is used up by the first share; the sender's page learns of it too.
  journey.problems.expectRefusals({
    path: new RegExp(`^/api/reverseShares/${token}$`),
    status: 404,
  })
  const sender = await journey.visit()
  await openReverseShare(sender.page, token, password)
  await beginSending(sender.page, {
    folder: join(journey.folder, 'Quotes'),
    senderName: 'Anna from next door',
  })
  expect(await finishSending(sender.page)).toBe(false)

  const { page } = owner
  await page.goto('/account/reverseShares')
  await page.getByRole('button', { name: /1 share/ }).click()
  await page.getByText('From Anna from next door', { exact: false }).waitFor()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download / }).click()
  const archive = join(journey.folder, 'received.zip')
  await (await saving).saveAs(archive)
  const received = join(journey.folder, 'received')
  await unzip(archive, received)
  expect(await hashesOf(received, paths)).toEqual(await hashesOf(journey.folder, paths))

  const late = await journey.visit()
  await late.page.goto(`/upload/${token}`)
  await late.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
})
