import { AppError } from '@floe/errors'
import { inRequest } from './request-context.ts'
import { expect, test } from 'vitest'
import { createLog, type Log } from './index.ts'

/** What `write` puts into the log, as text and as what it says. */
function logged(write: (log: Log) => void): { line: string; fields: Record<string, unknown> } {
  let line = ''
  const destination = { write: (text: string) => void (line += text) }
  write(createLog({ level: 'trace', service: 'test', destination }))
  return { line, fields: JSON.parse(line) as Record<string, unknown> }
}

test.each([
  ['a password', { password: 'hush' }],
  ['one further in', { options: [{ auth: { userPassword: 'hush' } }] }],
  ['headers', { req: { headers: { cookie: 'a=hush', authorization: 'hush' } } }],
  ['a token by any name', { refreshToken: 'hush', share_token: 'hush', TOKEN: ['hush'] }],
  ['a secret', { 'oauth.github-clientSecret': 'hush' }],
  ['recovery codes', { recoveryCodes: ['hush'] }],
  ['bytes', { body: Buffer.from('hush') }],
  ['a JSON Web Token', { value: 'eyJhbGciOiJIUzI1NiJ9.eyJodXNoIjoxfQ.hush-hush' }],
  ['an authorization', { value: 'sent Bearer hush-hush' }],
  ['the password of a database', { url: 'postgres://floe:hush@127.0.0.1:5432/floe' }],
  ['a query', { url: 'https://floe.test/api/oauth/callback/github?code=hush&state=hush' }],
  ['a query of a path', { path: '/api/oauth/callback/github?code=hush' }],
  ['an upload', { location: '/api/uploads/hush-hush' }],
  ['a reset link', { text: 'see https://floe.test/auth/resetPassword/hush and go on' }],
  ['a reverse share', { text: 'https://floe.test/upload/hush, /api/reverseShares/hush/access' }],
])('does not show %s', (_what, fields) => {
  const shown = logged((log) => log.warn(fields, 'something happened')).line

  expect(shown).not.toContain('hush')
  expect(shown).toContain('something happened')
})

test('does not show what libraries hang onto their errors', () => {
  const cause = Object.assign(new Error('duplicate key value violates a constraint'), {
    code: '23505',
    detail: 'Key (token)=(hush) already exists.',
    bindings: ['hush'],
    response: { body: 'hush' },
    config: { headers: { 'x-whatever': 'hush' } },
  })
  const err = new AppError('internal', { cause, detail: 'the row was refused' })

  const { line, fields } = logged((log) => log.error({ err }, 'failed'))

  expect(line).not.toContain('hush')
  expect(fields['err']).toMatchObject({
    type: 'AppError',
    code: 'internal',
    detail: 'the row was refused',
    cause: { message: 'duplicate key value violates a constraint', code: '23505' },
  })
})

test('does not show a secret in a sentence or in the words of an error', () => {
  const url = 'http://floe:hush@mail.test/?token=hush'

  expect(logged((log) => log.info(`reaching ${url}`)).line).not.toContain('hush')
  expect(
    logged((log) => log.error({ err: new Error(`no response of ${url}`) }, 'x')).line,
  ).not.toContain('hush')
})

test('shows what is no secret as it is', () => {
  const fields = {
    route: '/api/uploads/:uploadId',
    shareId: 'abc',
    hasPassword: true,
    tokens: 3,
    at: new Date(0),
    list: ['one', { two: null }],
  }

  expect(logged((log) => log.info(fields, 'Wrong password')).fields).toMatchObject({
    ...fields,
    at: '1970-01-01T00:00:00.000Z',
    msg: 'Wrong password',
  })
})

test('every line names the request it is about', () => {
  const during = logged((log) =>
    inRequest({ requestId: 'request-1', job: 'a-job', jobId: '7' }, () => log.info('said')),
  ).fields

  expect(during).toMatchObject({ requestId: 'request-1', job: 'a-job', jobId: '7' })
  expect(logged((log) => log.info('said')).fields).not.toHaveProperty('requestId')
})

test('something endless stays finite', () => {
  const loop: { self?: object } = {}
  loop.self = loop

  expect(logged((log) => log.info({ loop }, 'said')).line.length).toBeLessThan(500)
})
