import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecrets } from './secrets.ts'

const key = randomBytes(32)
const secrets = createSecrets({ key })

test('what was sealed opens with the same key, purpose and context, also elsewhere', () => {
  const sealed = secrets.seal('totp', 'user-1', 'geheim – 秘密')
  expect(createSecrets({ key }).open('totp', 'user-1', sealed)).toBe('geheim – 秘密')
})

test('equal texts never look equal', () => {
  expect(secrets.seal('totp', 'a', 'same')).not.toEqual(secrets.seal('totp', 'a', 'same'))
})

test.each([
  ['another key', createSecrets({ key: randomBytes(32) }), 'totp', 'user-1'],
  ['another purpose', secrets, 'smtp', 'user-1'],
  ['another context', secrets, 'totp', 'user-2'],
])('%s opens nothing', (_, other, purpose, context) => {
  expect(other.open(purpose, context, secrets.seal('totp', 'user-1', 'text'))).toBeNull()
})

test('any changed or missing byte opens nothing', () => {
  const sealed = secrets.seal('totp', 'user-1', 'text')
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(secrets.open('totp', 'user-1', changed)).toBeNull()
    expect(secrets.open('totp', 'user-1', sealed.subarray(0, index))).toBeNull()
  }
})
