import { expect, test } from 'vitest'
import { createCommonPasswords } from './common-passwords.ts'

const isCommon = createCommonPasswords()

test.each(['password', 'PassWord1', 'qwertyuiop', 'iloveyou', '1q2w3e4r', 'P@SSW0RD'])(
  'recognises %s, whatever its case',
  async (password) => expect(isCommon(password)).resolves.toBe(true),
)

test.each([
  'correct horse battery staple',
  // Parts, and more than one, of what is listed.
  'passwor',
  'password\u0000',
  ' password ',
  'xpasswordx',
  '',
  '\n',
])('takes %j', async (password) => expect(isCommon(password)).resolves.toBe(false))
