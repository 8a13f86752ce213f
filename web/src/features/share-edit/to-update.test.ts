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
const own = {
  security: { passwordProtected: true, maxViews: 5 },
  recipients: ['ida@example.org'],
  notifyOnDownload: false,
}
const same = {
  name: 'Trip',
  description: '',
  expiration: null,
  password: '',
  removePassword: false,
  maxViews: 5,
  recipients: ['ida@example.org'],
  restrictToRecipients: false,
  notifyOnDownload: false,
} as const

it('sends nothing while nothing differs', () => {
  expect(toUpdate(share, own, same)).toBeNull()
  expect(toUpdate(share, null, { ...same, maxViews: '' })).toBeNull()
})

it('sends only what differs, and null for what was cleared', () => {
  const update = toUpdate(share, own, { ...same, name: '', maxViews: '', removePassword: true })
  expect(update).toEqual({ name: null, security: { removePassword: true, maxViews: null } })
  expect(updateShareSchema.safeParse(update).success).toBe(true)
})

it('does not set a password that is being removed', () => {
  const update = toUpdate(share, own, { ...same, password: 'secret', removePassword: true })
  expect(update).toEqual({ security: { removePassword: true } })
})

it('sends the whole list of recipients once somebody was added or taken off', () => {
  const recipients = ['ida@example.org', 'jonas@example.org']
  const update = toUpdate(share, own, { ...same, recipients, notifyOnDownload: true })
  expect(update).toEqual({ recipients, notifyOnDownload: true })
  expect(updateShareSchema.safeParse(update).success).toBe(true)
  expect(toUpdate(share, own, { ...same, recipients: [] })).toEqual({ recipients: [] })
})

it('sends whether the share opens for its recipients alone, where that differs', () => {
  const restricted = { ...own, security: { ...own.security, restrictToRecipients: true as const } }
  const on = { ...same, restrictToRecipients: true }
  expect(toUpdate(share, own, on)).toEqual({ security: { restrictToRecipients: true } })
  expect(toUpdate(share, restricted, on)).toBeNull()
  expect(toUpdate(share, restricted, same)).toEqual({ security: { restrictToRecipients: false } })
  expect(toUpdate(share, null, { ...on, maxViews: '' })).toBeNull()
})
