import { randomBytes, randomUUID } from 'node:crypto'
import { createSecrets } from '@floe/secrets'
import { expect, test } from 'vitest'
import { createDevices, DEVICE_TTL_MS } from './devices.ts'

const owner = randomUUID()

function setUp() {
  let now = new Date('2026-01-01T00:00:00Z')
  const secrets = createSecrets({ key: randomBytes(32) })
  const devices = createDevices({ secrets, clock: () => now })
  const passMs = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  return { devices, passMs }
}

test('a browser stays the same device for its account, and for nobody else', () => {
  const { devices } = setUp()
  const token = devices.issue(owner, null)
  const id = devices.recognise(owner, token)
  expect(id).toEqual(expect.any(String))
  expect(devices.recognise(owner, devices.issue(owner, token))).toBe(id)
  expect(devices.recognise(randomUUID(), token)).toBeNull()
  expect(devices.recognise('', token)).toBeNull()
})

test('two browsers are two devices', () => {
  const { devices } = setUp()
  const [first, second] = [devices.issue(owner, null), devices.issue(owner, null)]
  expect(devices.recognise(owner, first)).not.toBe(devices.recognise(owner, second))
})

test('another account in the same browser is another device', () => {
  const { devices } = setUp()
  const token = devices.issue(owner, null)
  const other = randomUUID()
  const id = devices.recognise(other, devices.issue(other, token))
  expect(id).not.toBeNull()
  expect(id).not.toBe(devices.recognise(owner, token))
})

test('is forgotten after a year', () => {
  const { devices, passMs } = setUp()
  const token = devices.issue(owner, null)
  passMs(DEVICE_TTL_MS - 1)
  expect(devices.recognise(owner, token)).not.toBeNull()
  passMs(1)
  expect(devices.recognise(owner, token)).toBeNull()
})

test.each([null, '', 'a', 'not base64 %%', 'A'.repeat(100), 'A'.repeat(100_000)])(
  'recognises nobody by %s',
  (token) => {
    expect(setUp().devices.recognise(owner, token)).toBeNull()
  },
)
