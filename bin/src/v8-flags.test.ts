import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { v8Flags } from './v8-flags.ts'

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

test.each([
  ['start', 'bin/start.mjs'],
  ['dev', 'bin/start.mjs'],
  ['dev:split', 'bin/split.mjs'],
])('npm run %s tells V8 what every process of Floe is told', (script, program) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(scripts[script]).toBe(`exec node ${v8Flags.join(' ')} ${program}`)
})

test('the images tell V8 what every process of Floe is told', () => {
  const command = JSON.stringify(['node', ...v8Flags, 'bin/dist/main.js']).replaceAll(',', ', ')
  expect(read('deploy/Dockerfile').split('\n')).toContain(`CMD ${command}`)
})
