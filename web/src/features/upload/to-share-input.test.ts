import { createShareSchema } from '@floe/contracts'
import { expect, it } from 'vitest'
import { type ShareFormValues, toShareInput } from './to-share-input.ts'

const empty: ShareFormValues = {
  id: 'some-link',
  name: '',
  description: '',
  password: '',
  maxViews: '',
  senderName: '',
  recipients: [],
  notifyOnDownload: false,
}

it('leaves out what was not filled in', () => {
  const input = toShareInput(empty, { expiration: '7-days' })
  expect(input).toEqual({
    id: 'some-link',
    expiration: '7-days',
    recipients: [],
    reverseShare: null,
    security: {},
  })
  expect(createShareSchema.safeParse(input).success).toBe(true)
})

it('names the link a share is sent through, and who sends it', () => {
  const input = toShareInput({ ...empty, senderName: 'Ida' }, { reverseShare: 'photos' })
  expect(input).toMatchObject({ reverseShare: 'photos', senderName: 'Ida' })
  expect(createShareSchema.safeParse(input).success).toBe(true)
})

it('names who is told of it, and whether its creator is told of downloads', () => {
  const values = { ...empty, recipients: ['ida@example.org'], notifyOnDownload: true }
  const input = toShareInput(values, { expiration: '7-days' })
  expect(input).toMatchObject({ recipients: ['ida@example.org'], notifyOnDownload: true })
  expect(createShareSchema.safeParse(input).success).toBe(true)
})
