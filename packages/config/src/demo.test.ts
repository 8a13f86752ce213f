import { expect, it } from 'vitest'
import { readEnvironment } from './environment.ts'

it('is a demo if it is told so, and not otherwise', () => {
  expect(readEnvironment({})).toMatchObject({ environment: { isDemo: false } })
  expect(readEnvironment({ DEMO: '' })).toMatchObject({ environment: { isDemo: false } })
  expect(readEnvironment({ DEMO: '1' })).toMatchObject({ environment: { isDemo: true } })
  expect(readEnvironment({ DEMO: 'yes' })).toEqual({
    problems: [{ variable: 'DEMO', message: 'must be 1' }],
  })
})

const s3 = { S3_BUCKET: 'floe', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' }

it.each([
  ['DATABASE_URL', { DATABASE_URL: 'postgres://floe@localhost/floe' }],
  ['REDIS_URL', { REDIS_URL: 'redis://localhost' }],
  ['S3_BUCKET', s3],
])('refuses to delete what is elsewhere: %s', (name, variables) => {
  expect(readEnvironment({ DEMO: '1', ...variables })).toEqual({
    problems: [
      {
        variable: 'DEMO',
        message: `cannot be combined with ${name}: a demo deletes all its data each hour`,
      },
    ],
  })
})

it('is one process', () => {
  const variables = { SERVICES: 'gateway', INTERNAL_SECRET: 'a-secret-of-sixteen' }
  expect(readEnvironment({ DEMO: '1', ...variables })).toMatchObject({
    problems: expect.arrayContaining([
      { variable: 'DEMO', message: 'requires SERVICES to be "all"' },
    ]) as unknown,
  })
})
