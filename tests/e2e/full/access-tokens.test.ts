import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from '../harness/barriers.ts'
import type { Member } from '../harness/journey.ts'
import { pairwiseLooks } from '../harness/looks.ts'
import { makeShare } from '../harness/shares.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let member: Member

beforeAll(async () => {
  member = await journey.visitAsMember({ permissions: ['clipboard-read', 'clipboard-write'] })
})

const looks = pairwiseLooks.ltr

/** As a script asks: without a browser and its cookies. */
function ask(path: string, token: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, 'User-Agent': 'backup/2.1' }
  return fetch(new URL(path, journey.floe.url), { headers })
}

/** Makes one on the account page and takes it by its copy button. */
async function makeToken({ page }: Member, name: string): Promise<string> {
  await page.goto('/account')
  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog', { name: 'New token' })
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Create token' }).click()
  const made = page.getByRole('dialog', { name: 'Your new token' })
  await made.getByRole('button', { name: 'Copy token' }).click()
  await made.getByRole('button', { name: 'Copied' }).waitFor()
  const token = String(await page.evaluate('navigator.clipboard.readText()'))
  const line = `curl -T photo.jpg -H "Authorization: Bearer ${token}" ${journey.floe.url}/up/`
  expect(await made.getByLabel('Try it in a terminal').inputValue()).toBe(line)
  await made.getByRole('button', { name: 'Done' }).click()
  expect(await page.content()).not.toContain(token)
  return token
}

test('a token is made, used by a script, seen in use, and revoked', async () => {
  const { page, context } = member
  const id = await makeShare(context.request, { name: 'Choir', files: { 'kyrie.txt': 'Kyrie' } })
  const token = await makeToken(member, 'Backup')
  expect(token).toMatch(/^floe_[0-9A-Za-z]{36}$/)
  const row = page.getByRole('listitem').filter({ hasText: token.slice(0, 10) })
  await row.getByText('Never used').waitFor()

  const shares = await ask('/api/shares', token)
  expect(shares.status).toBe(200)
  expect(await shares.json()).toMatchObject([{ id }])
  expect(shares.headers.getSetCookie()).toEqual([])
  // Out of its scopes.
  expect((await ask('/api/users/me', token)).status).toBe(403)

  await page.reload()
  await row.getByText('Last used now').waitFor()
  await row.getByText('127.0.0.1').waitFor()
  await row.getByText('backup', { exact: true }).waitFor()

  await row.getByRole('button', { name: 'Revoke Backup' }).click()
  const question = page.getByRole('dialog', { name: 'Revoke Backup?' })
  await question.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No tokens yet').waitFor()
  const refused = await ask('/api/shares', token)
  expect(refused.status).toBe(401)
  expect(await refused.json()).toMatchObject({ code: 'token_invalid' })
})

test('an administrator sees the tokens of a user, and revokes one', async () => {
  const token = await makeToken(member, 'Photos')
  const admin = await journey.visitAsAdministrator()
  const { page } = admin
  const { username } = member.person
  await page.goto(`/admin/users?search=${username}`)
  await page.getByRole('button', { name: `Access tokens of ${username}` }).click()
  const list = page.getByRole('dialog', { name: `Access tokens of ${username}` })
  await list.getByText(`${token.slice(0, 10)}…`).waitFor()
  expect(await findBarriers(page, 'tokens of a user', { looks })).toEqual([])
  await list.getByRole('button', { name: 'Revoke Photos' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await list.getByText('No tokens yet').waitFor()
  expect((await ask('/api/shares', token)).status).toBe(401)
  await admin.leave()
})

test('nobody meets a barrier where tokens are made', async () => {
  const { page } = member
  await page.goto('/account')
  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog', { name: 'New token' })
  await form.getByLabel('Name').fill('Backup')
  await form.getByRole('button', { name: 'Restrict further' }).click()
  await form.getByLabel('Only from these networks').fill('192.0.2.0/24')
  expect(await findBarriers(page, 'form', { looks })).toEqual([])
  await form.getByRole('button', { name: 'Create token' }).click()
  const made = page.getByRole('dialog', { name: 'Your new token' })
  await made.waitFor()
  expect(await findBarriers(page, 'token', { looks })).toEqual([])
  await made.getByRole('button', { name: 'Done' }).click()
  await page.getByText('192.0.2.0/24', { exact: true }).waitFor()
  expect(await findBarriers(page, 'list', { looks })).toEqual([])
})
