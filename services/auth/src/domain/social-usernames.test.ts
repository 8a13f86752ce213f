import { usernameSchema } from '@floe/contracts'
import { expect, test } from 'vitest'
import { deriveUsername, withRandomSuffix } from './social-usernames.ts'

test.each([
  ['keeps a valid name', 'ada.lovelace_1', 'a@b.test', 'ada.lovelace_1'],
  ['drops what a username cannot have', 'Ada Lovelace!', 'a@b.test', 'AdaLovelace'],
  ['keeps the letter below an accent', 'Zoë Müller', 'a@b.test', 'ZoeMuller'],
  ['takes the person out of an address', 'ada+floe@corp.example', null, 'adafloe'],
  ['cuts a long name', 'a'.repeat(100), null, 'a'.repeat(32)],
  ['takes the address where nothing is left of the name', '李明', 'li.ming@b.test', 'li.ming'],
  ['takes the address where too little is left', 'jo', 'joanna@b.test', 'joanna'],
  ['has a name for those without any', '李', 'x@b.test', 'user'],
  ['has a name where there is no address', '', null, 'user'],
])('%s', (_what, username, email, expected) => {
  expect(deriveUsername({ username, email })).toBe(expected)
  expect(usernameSchema.parse(expected)).toBe(expected)
})

test('names somebody who came later apart, within the length that is allowed', () => {
  const names = ['ada', 'a'.repeat(32)].map(withRandomSuffix)
  expect(names).toEqual([
    expect.stringMatching(/^ada_[0-9a-f]{6}$/),
    expect.stringMatching(/^a{25}_[0-9a-f]{6}$/),
  ])
  for (const name of names) expect(usernameSchema.parse(name)).toBe(name)
  expect(withRandomSuffix('ada')).not.toBe(names[0])
})
