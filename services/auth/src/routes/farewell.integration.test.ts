import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { register } from '../testing/browser.ts'

let server: AuthServer
let smtp: SmtpCatcher
let admin: Awaited<ReturnType<typeof register>>
beforeAll(async () => {
  smtp = await startSmtpCatcher()
  server = await startAuthServer()
  server.useSmtp(smtp)
  admin = await register(server)
})
afterAll(async () => {
  await server.close()
  await smtp.stop()
})

const remove = (id: string) => admin.browser.send('DELETE', `/api/users/${id}`)

test('who deletes the own account is told in the own language', async () => {
  const { browser, username, email } = await register(server)
  const headers = { 'accept-language': 'de' }
  expect((await browser.send('DELETE', '/api/users/me', undefined, headers)).status).toBe(200)
  await server.runReactions()
  const [mail] = smtp.messages.filter(({ to }) => to.includes(email))
  expect(mail).toMatchObject({ subject: 'Ihr Konto wurde gelöscht' })
  expect(mail?.text).toContain(`Ihr Konto ${username} bei Floe wurde gelöscht`)
})

test('whose account an administrator deletes is told, once', async () => {
  const { id, email } = await register(server)
  expect((await remove(id)).status).toBe(200)
  await server.runReactions()
  expect(smtp.messages.filter(({ to }) => to.includes(email))).toMatchObject([
    { subject: 'Your account was deleted' },
  ])
})

test('an address that was never proven gets nothing', async () => {
  const { id, email } = await register(server)
  await server.database.knex('users').where({ id }).update({ email_standing: 'owed' })
  expect((await remove(id)).status).toBe(200)
  await server.runReactions()
  expect(smtp.messages.filter(({ to }) => to.includes(email))).toEqual([])
})
