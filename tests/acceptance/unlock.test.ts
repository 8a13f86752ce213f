import { queryDataDirectory } from '@floe/testing'
import { expect, test } from 'vitest'
import { newAccount, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { runCommand } from './world/command.ts'
import { createClient } from './world/http-client.ts'
import { enrolTotp } from './world/totp.ts'

onOneArrangement('embedded', 'npm run unlock', (floe) => {
  const environment = { DATA_DIR: floe.dataDirectory, PUBLIC_URL: 'https://files.example.org' }
  const unlock = (...args: string[]) => runCommand('unlock', environment, ...args)

  test.each(['username', 'email'] as const)(
    'lets somebody in by the %s who has lost password, app, passkeys and codes',
    async (by) => {
      const account = newAccount()
      const owner = await signUp(floe, account)
      await enrolTotp(owner, account)
      const { password } = account
      const codes = await owner.send('POST', '/api/auth/totp/recoveryCodes', { json: { password } })
      expect(codes.status).toBe(201)
      const { id } = (await owner.send('GET', '/api/users/me')).body as { id: string }
      await queryDataDirectory(
        floe.dataDirectory,
        `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name,
           is_synced, created_at)
         values (gen_random_uuid(), '${id}', '\\x01${id.replaceAll('-', '')}', '\\x02', 0, '{}', 'Lost',
           false, now())`,
      )
      const { code, lines } = await unlock(account[by].toUpperCase())
      expect(code).toBe(0)
      const link = /https:\/\/files\.example\.org\/auth\/resetPassword\/([\w-]+)$/.exec(
        lines.at(-1) ?? '',
      )
      const json = { token: link?.[1], password: 'another long password' }
      const visitor = createClient(floe.url)
      expect((await visitor.send('POST', '/api/auth/resetPassword', { json })).status).toBe(204)
      // Once, and all who were in are out.
      expect((await visitor.send('POST', '/api/auth/resetPassword', { json })).status).toBe(400)
      expect((await owner.send('GET', '/api/users/me')).status).toBe(403)
      const { email } = account
      const signIn = { email, password: json.password }
      const entered = await visitor.send('POST', '/api/auth/signIn', { json: signIn })
      expect(entered.body).toHaveProperty('accessToken')
      expect((await visitor.send('GET', '/api/auth/passkeys')).body).toEqual([])
    },
  )

  test.each([[['nobody-of-this-name']], [[]], [['ann', 'bob']]])(
    'of %j says what is wrong, and changes nothing',
    async (args) => {
      const { code, errors } = await unlock(...args)
      expect(code).toBe(2)
      expect(errors).toMatch(/^Nothing was unlocked: .+\.\n$/)
    },
  )
})
