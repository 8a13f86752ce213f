import { updateShareSchema } from '@floe/contracts'
import { expect, it } from 'vitest'
import { toUpdate } from './to-update.ts'

const share = {
  id: 's',
  name: 'Trip',
  expiration: '2026-01-01T00:00:00.000Z',
  description: null,
  files: [],
  hasPassword: true,
  size: 0,
}
const same = {
  name: 'Trip',
  description: '',
  expiration: null,
  password: '',
  removePassword: false,
  maxViews: 5,
} as const

it('sends nothing while nothing differs', () => {
  expect(toUpdate(share, 5, same)).toBeNull()
  expect(toUpdate(share, 0, { ...same, maxViews: '' })).toBeNull()
})

it('sends only what differs, and null for what was cleared', () => {
  const update = toUpdate(share, 5, { ...same, name: '', maxViews: '', removePassword: true })
  expect(update).toEqual({ name: null, security: { removePassword: true, maxViews: null } })
  expect(updateShareSchema.safeParse(update).success).toBe(true)
})

it('does not set a password that is being removed', () => {
  const update = toUpdate(share, 5, { ...same, password: 'secret', removePassword: true })
  expect(update).toEqual({ security: { removePassword: true } })
})
