import { randomBytes } from 'node:crypto'
import { createSecrets } from '@floe/secrets'
import { expect, test } from 'vitest'
import { createConfigSecrets } from './config-secrets.ts'

const updatedAt = new Date('2026-01-01T00:00:00Z')

function setUp(key = randomBytes(32)) {
  const warnings: unknown[] = []
  const log = { warn: (fields: unknown) => warnings.push(fields) }
  return { key, warnings, values: createConfigSecrets({ secrets: createSecrets({ key }), log }) }
}

function sealPassword({ values }: ReturnType<typeof setUp>, text: string): string {
  const [change] = values.seal([{ key: 'smtp.password', value: text }])
  return change?.value ?? ''
}

const stored = (key: string, value: string) => ({ key, value, updatedAt })

test('seals secrets and nothing else, and opens them again', () => {
  const { values } = setUp()
  const changes = values.seal([
    { key: 'smtp.password', value: 'geheim ✓' },
    { key: 'smtp.username', value: 'floe' },
    { key: 'oauth.github-clientSecret', value: null },
  ])
  expect(changes.slice(1)).toEqual([
    { key: 'smtp.username', value: 'floe' },
    { key: 'oauth.github-clientSecret', value: null },
  ])
  const sealed = changes[0]?.value ?? ''
  expect(Buffer.from(sealed, 'base64').toString('base64')).toBe(sealed)
  expect(Buffer.from(sealed, 'base64').includes('geheim')).toBe(false)
  expect(values.open([stored('smtp.password', sealed), stored('smtp.username', 'floe')])).toEqual([
    stored('smtp.password', 'geheim ✓'),
    stored('smtp.username', 'floe'),
  ])
})

test('never writes the same secret the same way', () => {
  const installation = setUp()
  expect(sealPassword(installation, 'same')).not.toBe(sealPassword(installation, 'same'))
})

test.each([
  ['sealed with another key', () => sealPassword(setUp(), 'x')],
  ['written as it is', () => 'plain text'],
  ['empty', () => ''],
])('a secret that is %s counts as absent and is logged once', (_, value) => {
  const { values, warnings } = setUp()
  const rows = [stored('smtp.password', value()), stored('smtp.username', 'floe')]
  expect(values.open(rows)).toEqual([stored('smtp.username', 'floe')])
  expect(values.open(rows)).toEqual([stored('smtp.username', 'floe')])
  expect(warnings).toEqual([{ key: 'smtp.password' }])
})

test('a secret moved to another setting does not open there', () => {
  const installation = setUp()
  const sealed = sealPassword(installation, 'x')
  expect(installation.values.open([stored('oauth.github-clientSecret', sealed)])).toEqual([])
})

test('is logged again when it was whole in between', () => {
  const installation = setUp()
  const { values, warnings } = installation
  const whole = [stored('smtp.password', sealPassword(installation, 'x'))]
  const broken = [stored('smtp.password', 'broken')]
  for (const rows of [broken, whole, broken]) values.open(rows)
  expect(warnings).toHaveLength(2)
})
