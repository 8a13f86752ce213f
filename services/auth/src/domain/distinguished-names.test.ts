import { expect, test } from 'vitest'
import { isBelow, normaliseDn } from './distinguished-names.ts'

test.each([
  ['uid=ben,ou=people,dc=example', 'UID=Ben , OU = People,  DC=EXAMPLE'],
  ['cn=doe\\, john,dc=example', 'CN=Doe\\2C  John,DC=example'],
  ['cn=a\\+b\\=c,dc=example', 'cn=a\\2bb=c,dc=example'],
  ['cn=ben+uid=1,dc=example', 'uid=1 + cn=ben,dc=example'],
  ['cn=Jürgen,dc=example', 'cn=J\\C3\\BCrgen,dc=example'],
  ['cn=Ju\u0308rgen,dc=example', 'cn=JÜRGEN,dc=example'],
  ['cn=\\#1,dc=example', 'cn=\\231,dc=example'],
  ['cn=ben\\ ,dc=example', 'cn=ben,dc=example'],
])('%j and %j are the same', (one, other) => {
  expect(normaliseDn(one)).not.toBeNull()
  expect(normaliseDn(one)).toBe(normaliseDn(other))
})

test.each([
  ['uid=ben,dc=example', 'uid=ben,ou=people,dc=example'],
  ['uid=ben,dc=example', 'cn=ben,dc=example'],
  ['cn=a\\,dc\\=b,dc=example', 'cn=a,dc=b,dc=example'],
  ['cn=a\\+uid\\=b,dc=example', 'cn=a+uid=b,dc=example'],
  ['cn=\\#04024869,dc=example', 'cn=#04024869,dc=example'],
  ['cn=a b,dc=example', 'cn=ab,dc=example'],
  ['cn=a\\00,dc=example', 'cn=a,dc=example'],
])('%j and %j are not', (one, other) => {
  expect(normaliseDn(one)).not.toBe(normaliseDn(other))
})

test.each(['', 'ben', 'uid=ben,', '=ben', 'cn=\\zz', 'cn=ben\\', 'cn=\\ff\\fe'])(
  '%j is no DN',
  (text) => {
    expect(normaliseDn(text)).toBeNull()
  },
)

test('the normal form is its own, and holds nothing that cannot be stored', () => {
  const dn = normaliseDn('CN=a\\00\\, "b" #;<c>\\c2\\85,DC=example') ?? ''
  expect(normaliseDn(dn)).toBe(dn)
  expect(dn).not.toMatch(/\p{Cc}/u)
})

test('an entry is below its base, and not below another that ends alike', () => {
  expect(isBelow('uid=ben,dc=example', 'dc=example')).toBe(true)
  expect(isBelow('dc=example', 'dc=example')).toBe(true)
  expect(isBelow('uid=ben,adc=example', 'dc=example')).toBe(false)
})
