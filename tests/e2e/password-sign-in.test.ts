import { expect, test } from 'vitest'
import { administrator } from './harness/administrator.ts'
import { configure, nameOf, signIn } from './harness/people.ts'
import { useOwnFloe } from './harness/use-journey.ts'

// As an operator sets it whose provider is gone, whatever the settings say.
const journey = useOwnFloe({
  environment: { SETTINGS: '{"oauth.disablePassword":true}', PASSWORD_SIGN_IN: '1' },
})

test('PASSWORD_SIGN_IN=1 lets in by password where providers alone let in, and nobody closes it', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/configs\/admin$/, status: 409 })
  const visitor = await journey.visit()
  await visitor.page.goto('/auth/signIn')
  await signIn(visitor.page, administrator)
  await visitor.page.waitForURL('**/upload')
  expect(await nameOf(visitor)).toBe(administrator.username)
  await visitor.page.goto('/admin/config/oauth')
  const field = visitor.page.getByLabel('Sign in with providers only')
  await field.waitFor()
  expect([await field.isChecked(), await field.isDisabled()]).toEqual([false, true])
  await expect(configure(visitor, { 'oauth.disablePassword': true })).rejects.toThrow(/409/)
})
