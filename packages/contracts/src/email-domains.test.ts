import { expect, it } from 'vitest'
import { isEmailDomainAllowed, isEmailDomainPattern } from './email-domains.ts'

const judge = (allowed: string, refused: string, email: string) =>
  isEmailDomainAllowed(
    { 'general.allowedEmailDomains': allowed, 'general.refusedEmailDomains': refused },
    email,
  )

it.each([
  ['', '', 'ann@anything.test', true],
  ['example.org', '', 'ann@example.org', true],
  ['example.org', '', 'ann@EXAMPLE.org', true],
  ['EXAMPLE.org', '', 'ann@example.org', true],
  ['example.org', '', 'ann@mail.example.org', false],
  ['example.org', '', 'ann@notexample.org', false],
  ['example.org', '', 'ann@example.org.evil.test', false],
  ['example.org', '', '"a@example.org"@evil.test', false],
  ['*.example.org', '', 'ann@mail.example.org', true],
  ['*.example.org', '', 'ann@example.org', false],
  ['*.example.org', '', 'ann@evilexample.org', false],
  ['one.test, two.test\nthree.test', '', 'ann@three.test', true],
  ['bücher.example', '', 'ann@xn--bcher-kva.example', true],
  ['xn--bcher-kva.example', '', 'ann@BÜCHER.example', true],
  ['', 'evil.test', 'ann@evil.test', false],
  ['', '*.evil.test', 'ann@a.b.evil.test', false],
  ['', 'evil.test', 'ann@good.test', true],
  ['evil.test', 'evil.test', 'ann@evil.test', false],
])('allowed %o, refused %o: %s is %s', (allowed, refused, email, isAllowed) => {
  expect(judge(allowed, refused, email)).toBe(isAllowed)
})

it.each([
  ['example.org', true],
  ['*.example.org', true],
  ['bücher.example', true],
  ['ann@example.org', false],
  ['example.org/path', false],
  ['example.org:25', false],
  ['*', false],
  ['*.', false],
  ['a.*.example.org', false],
])('%s is a pattern: %s', (pattern, isOne) => {
  expect(isEmailDomainPattern(pattern)).toBe(isOne)
})
