import { completeShareSchema } from '@floe/contracts'
import { expect, it } from 'vitest'
import type { ShareFormValues } from '../../shared/share/draft-terms.ts'
import { toSentTerms, toTerms } from './to-share-input.ts'

const empty: ShareFormValues = {
  id: 'some-link',
  name: '',
  description: '',
  password: '',
  maxViews: '',
  senderName: '',
  recipients: [],
  restrictToRecipients: false,
  notifyOnDownload: false,
}

it('leaves out what was not filled in', () => {
  const terms = toTerms(empty, '7-days')
  expect(terms).toEqual({ id: 'some-link', expiration: '7-days', recipients: [], security: {} })
  expect(completeShareSchema.safeParse(terms).success).toBe(true)
})

it('names who sends it, and nothing that the receiver of what is sent decides', () => {
  const values = { ...empty, name: 'Quotes', senderName: 'Ida', password: 'sesame', maxViews: 3 }
  const terms = toSentTerms(values)
  expect(terms).toEqual({ id: 'some-link', name: 'Quotes', senderName: 'Ida' })
  expect(completeShareSchema.safeParse(terms).success).toBe(true)
})

it('opens for recipients alone only where there are some', () => {
  const values = { ...empty, restrictToRecipients: true }
  expect(toTerms(values, '7-days')).toMatchObject({ security: {} })
  const terms = toTerms({ ...values, recipients: ['ida@example.org'] }, '7-days')
  expect(terms).toMatchObject({ security: { restrictToRecipients: true } })
  expect(completeShareSchema.safeParse(terms).success).toBe(true)
})

it('names who is told of it, and whether its creator is told of downloads', () => {
  const values = { ...empty, recipients: ['ida@example.org'], notifyOnDownload: true }
  const terms = toTerms(values, '7-days')
  expect(terms).toMatchObject({ recipients: ['ida@example.org'], notifyOnDownload: true })
  expect(completeShareSchema.safeParse(terms).success).toBe(true)
})
