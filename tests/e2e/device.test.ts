import { queryDataDirectory } from '@floe/testing'
import { beforeAll, expect, test } from 'vitest'
import { enrol, typeCode } from './harness/authenticator.ts'
import { findBarriers } from './harness/barriers.ts'
import { join, signIn } from './harness/people.ts'
import type { Member } from './harness/journey.ts'
import { pairwiseLooks } from './harness/looks.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let member: Member

beforeAll(async () => {
  member = await journey.visitAsMember()
  // Its page is known before its visitor is.
  journey.problems.expectRefusals({ path: /^\/api\/oauth\/device\/[A-Z-]+$/, status: 404 })
})

/** As a program asks: a form, without a browser and its cookies. */
async function ask(path: string, form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'floe-cli', ...form })
  const url = new URL(`/api/oauth/device/${path}`, journey.floe.url)
  const response = await fetch(url, { method: 'POST', body })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const begin = async () =>
  (await ask('authorize', { client_name: 'laptop', scope: 'shares:read' })).body

const redeem = (codes: Record<string, string>) =>
  ask('token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: codes['device_code'] ?? '',
  })

test('somebody who signs in on the way lets a program in, which then has a token', async () => {
  const codes = await begin()
  expect((await redeem(codes)).body).toMatchObject({ error: 'authorization_pending' })
  const { page, leave } = await journey.visit()
  await page.goto(`/device?code=${codes['user_code']}`)
  await signIn(page, member.person)
  expect(await page.getByLabel('Code').inputValue()).toBe(codes['user_code'])
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'laptop asks for access to your account' }).waitFor()
  await page.getByText('See your shares and who opened them').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Access approved' }).waitFor()
  const { status, body } = await redeem(codes)
  expect(status).toBe(200)
  expect(body).toMatchObject({ token_type: 'Bearer', scope: 'shares:read' })
  const headers = { Authorization: `Bearer ${body['access_token']}` }
  expect((await fetch(new URL('/api/shares', journey.floe.url), { headers })).status).toBe(200)
  expect((await redeem(codes)).body).toMatchObject({ error: 'invalid_grant' })
  await page.goto('/account')
  await page.getByText('Command line on laptop').waitFor()
  await leave()
})

test('a program that is refused gets nothing, and a code is good once', async () => {
  const codes = await begin()
  const { page } = member
  await page.goto('/device')
  await page.getByLabel('Code').fill(String(codes['user_code']).toLowerCase().replace('-', ' '))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByRole('heading', { name: 'Access refused' }).waitFor()
  expect((await redeem(codes)).body).toMatchObject({ error: 'access_denied' })
  await page.goto(`/device?code=${codes['user_code']}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').waitFor()
})

test('somebody with a second factor shows it on the way to letting a program in', async () => {
  const enrolled = await journey.visit()
  const person = await join(enrolled)
  const { authenticator } = await enrol(enrolled, person)
  await enrolled.leave()
  const codes = await begin()
  const { page, leave } = await journey.visit()
  await page.goto(`/device?code=${codes['user_code']}`)
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Two-factor authentication', level: 1 }).waitFor()
  expect((await redeem(codes)).body).toMatchObject({ error: 'authorization_pending' })
  await typeCode(page, authenticator.nextCode())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Access approved' }).waitFor()
  expect((await redeem(codes)).status).toBe(200)
  await leave()
})

test('a code whose time is over is told to the person and to the program, and lets nobody in', async () => {
  const codes = await begin()
  const { page } = member
  await page.goto(`/device?code=${codes['user_code']}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  const approve = page.getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  await queryDataDirectory(
    journey.floe.dataDirectory,
    `update device_codes set expires_at = now() - interval '1 second'
     where replace(user_code, '-', '') = '${String(codes['user_code']).replace('-', '')}'`,
  )
  await approve.click()
  await page.getByText('No program is waiting with this code. It may have expired.').waitFor()
  expect((await redeem(codes)).body).toMatchObject({ error: 'expired_token' })
})

test('nobody meets a barrier where a program is let in', async () => {
  const codes = await begin()
  const { page } = member
  await page.goto(`/device?code=${codes['user_code']}`)
  const looks = pairwiseLooks.ltr
  expect(await findBarriers(page, 'code of a program', { looks })).toEqual([])
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  expect(await findBarriers(page, 'question of a program', { looks })).toEqual([])
})
