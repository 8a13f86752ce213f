import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { makeRegistration, openBrowser, register } from '../testing/browser.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const tooShort = {
  status: 400,
  body: { code: 'password_too_short', message: 'A password needs at least 12 characters' },
}

test('a new password has as many characters as the setting wants, and older ones go on', async () => {
  const admin = await register(server)
  const { email, password: old } = admin
  const [short, long] = ['elevenchars', 'twelve chars']
  server.settings['general.minPasswordLength'] = 12

  const signUp = (password: string) =>
    openBrowser(server).send('POST', '/api/auth/signUp', { ...makeRegistration(), password })
  expect(await signUp(short)).toMatchObject(tooShort)
  expect((await signUp(long)).status).toBe(201)

  const make = (password: string) =>
    admin.browser.send('POST', '/api/users', { ...makeRegistration(), password })
  expect(await make(short)).toMatchObject(tooShort)
  const made = await make(long)
  expect(made.status).toBe(201)
  const change = (password: string) =>
    admin.browser.send('PATCH', `/api/users/${String(made.body['id'])}`, { password })
  expect(await change(short)).toMatchObject(tooShort)
  expect((await change(long)).status).toBe(200)

  const signIn = await openBrowser(server).send('POST', '/api/auth/signIn', {
    email,
    password: old,
  })
  expect(signIn.status).toBe(200)
  const choose = (password: string) =>
    admin.browser.send('PATCH', '/api/auth/password', { oldPassword: old, password })
  expect(await choose(short)).toMatchObject(tooShort)
  expect((await choose(long)).status).toBe(200)
})
