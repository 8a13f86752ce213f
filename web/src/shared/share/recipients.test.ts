import { createShareSchema } from '@floe/contracts'
import { expect, it } from 'vitest'
import { addRecipients, isRecipient, MAX_RECIPIENTS, splitRecipients } from './recipients.ts'

it.each([
  ['a@x.org', ['a@x.org']],
  [
    'a@x.org, b@x.org;c@x.org\nd@x.org  e@x.org',
    ['a', 'b', 'c', 'd', 'e'].map((n) => `${n}@x.org`),
  ],
  ['Ida Holm <ida@x.org>; "Holm, Jonas" <jonas@x.org>', ['ida@x.org', 'jonas@x.org']],
  ['\r\n ,; ', []],
])('finds the addresses in %j', (text, addresses) => {
  expect(splitRecipients(text)).toEqual(addresses)
})

it('keeps one of an address that is written twice', () => {
  expect(addRecipients(['a@x.org'], ['A@X.org', 'b@x.org', 'b@x.org'])).toEqual([
    'a@x.org',
    'b@x.org',
  ])
})

it('knows an address when it sees one', () => {
  expect(isRecipient('ida@example.org')).toBe(true)
  expect(isRecipient('ida@example')).toBe(false)
  expect(isRecipient('ida')).toBe(false)
})

it('offers as many recipients as a share may have', () => {
  const share = (count: number) => ({
    id: 'link',
    expiration: '1-day',
    recipients: Array.from({ length: count }, (_, index) => `r${index}@x.org`),
  })
  expect(createShareSchema.safeParse(share(MAX_RECIPIENTS)).success).toBe(true)
  expect(createShareSchema.safeParse(share(MAX_RECIPIENTS + 1)).success).toBe(false)
})
