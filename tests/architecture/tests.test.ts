import { expect, test } from 'vitest'
import { listCommitted, read } from './repository.ts'

const MOST_LINES = 600

/** Set by `.ci/run` alone, for browsers alone. */
const retryOfBrowsers = "retry: Number(process.env['FLOE_TEST_RETRY'] ?? 0),"

test('no test is tried again, but a browser in CI, which names it', () => {
  const configs = listCommitted(/(?:^|\/)vitest\.config\.ts$/)
  const lines = configs.flatMap((path) =>
    read(path)
      .split('\n')
      .map((line) => line.trim()),
  )
  const retries = lines.filter((line) => /\bretry\b/.test(line))
  expect(retries.filter((line) => line !== retryOfBrowsers)).toEqual([])
  const tests = listCommitted(/\.test\.tsx?$/)
  expect(tests.filter((path) => /[{,(]\s*retry:/.test(read(path)))).toEqual([])
  const setters = listCommitted(/^(?:package\.json|bin\/.*|\.ci\/.*)$/)
  const found = setters.filter((path) => read(path).includes('FLOE_TEST_RETRY'))
  expect(found).toEqual(['.ci/run'])
  expect(setters.filter((path) => read(path).includes('--retry'))).toEqual([])
})

test(`no file of tests is longer than ${MOST_LINES} lines`, () => {
  const files = listCommitted(/^tests\/.*\.(?:ts|tsx|mjs)$|\.test\.tsx?$/)
  const long = files.filter((path) => read(path).split('\n').length - 1 > MOST_LINES)
  expect(long).toEqual([])
})
