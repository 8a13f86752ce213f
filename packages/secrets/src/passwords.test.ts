import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

const weakArgon2id = { algorithm: 2, memoryCost: 8_192, timeCost: 1, parallelism: 1 } as const
const argon2i = { ...weakArgon2id, algorithm: 1 } as const

test('hashes with Argon2id at 19 MiB, two passes, one lane', async () => {
  const passwords = createPasswords()
  const passwordHash = await passwords.hash('correct horse')
  expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(passwords.needsRehash(passwordHash)).toBe(false)
  await expect(passwords.verify(passwordHash, 'correct horse')).resolves.toBe(true)
  await expect(passwords.verify(passwordHash, 'correct horsE')).resolves.toBe(false)
})

test('hashes no common password for an account, and verifies one all the same', async () => {
  const passwords = createPasswords()
  const refused = passwords.hashForAccount('Password123')
  await expect(refused).rejects.toMatchObject({ code: 'password_too_common' })
  const passwordHash = await passwords.hash('Password123')
  await expect(passwords.verify(passwordHash, 'Password123')).resolves.toBe(true)
  const chosen = await passwords.hashForAccount('correct horse battery')
  await expect(passwords.verify(chosen, 'correct horse battery')).resolves.toBe(true)
})

test('verifies a hash made with other parameters and asks for a new one', async () => {
  const passwords = createPasswords()
  const passwordHash = await hash('correct horse', weakArgon2id)
  await expect(passwords.verify(passwordHash, 'correct horse')).resolves.toBe(true)
  expect(passwords.needsRehash(passwordHash)).toBe(true)
})

test.each([
  ['nobody', null],
  ['something that is no hash', 'plain text'],
])('refuses every password for %s', async (_, passwordHash) => {
  const passwords = createPasswords()
  await expect(passwords.verify(passwordHash, '')).resolves.toBe(false)
  await expect(passwords.verify(passwordHash, 'plain text')).resolves.toBe(false)
})

test('refuses a hash of another algorithm even with the right password', async () => {
  const passwords = createPasswords()
  const passwordHash = await hash('correct horse', argon2i)
  await expect(passwords.verify(passwordHash, 'correct horse')).resolves.toBe(false)
})

test('tells passwords apart that differ after a NUL character', async () => {
  const passwords = createPasswords()
  const passwordHash = await passwords.hash('same\u0000one')
  await expect(passwords.verify(passwordHash, 'same\u0000two')).resolves.toBe(false)
  await expect(passwords.verify(passwordHash, 'same\u0000one')).resolves.toBe(true)
})
