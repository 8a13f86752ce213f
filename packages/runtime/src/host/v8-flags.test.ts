import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { v8Flags } from './v8-flags.ts'

const root = new URL('../../../../', import.meta.url)
const manifest = fileURLToPath(new URL('package.json', root))

test.each([['start', 'bin/start.mjs']])(
  'npm run %s tells V8 what every process of Floe is told',
  (script, program) => {
    const { scripts } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      scripts: Record<string, string>
    }
    expect(scripts[script]).toBe(`exec node ${v8Flags.join(' ')} ${program}`)
  },
)

test('so does the program of a release', () => {
  const program = readFileSync(new URL('deploy/tarball/floe', root), 'utf8')
  expect(program).toContain(`exec node ${v8Flags.join(' ')} "$here/bin/floe.mjs" "$@"\n`)
})
