import { expect, it } from 'vitest'
import { groupSecret, recoveryFile, recoveryFileName } from './secret-text.ts'

it('groups a secret in fours, whatever its length', () => {
  expect(groupSecret('JBSWY3DPEHPK3PXP')).toBe('JBSW Y3DP EHPK 3PXP')
  expect(groupSecret('JBSWY3')).toBe('JBSW Y3')
  expect(groupSecret('')).toBe('')
})

it('writes one recovery code a line', () => {
  expect(recoveryFile('Floe', ['a-b', 'c-d'])).toBe('Floe\n\na-b\nc-d\n')
})

it.each([
  ['Floe', 'floe-recovery-codes.txt'],
  ['My ../ Floe!', 'my-floe-recovery-codes.txt'],
  ['Überflug', 'überflug-recovery-codes.txt'],
  ['***', 'recovery-codes.txt'],
])('names the file of %s safely', (appName, fileName) => {
  expect(recoveryFileName(appName)).toBe(fileName)
})
