import { defaultSettings } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import type { Share } from './share.ts'
import {
  describeExpiry,
  downloadedMail,
  receivedMail,
  recipientMail,
  reminderMail,
} from './share-messages.ts'

const now = new Date('2026-05-01T12:00:00.000Z')
const hour = 3_600_000
const share: Share = {
  uid: '00000000-0000-4000-8000-000000000001',
  id: 'holiday',
  createdAt: now,
  name: 'Holiday',
  description: 'Have a look',
  expiresAt: new Date('2026-05-08T12:00:00.000Z'),
  passwordHash: null,
  maxViews: null,
  restrictsToRecipients: false,
  isEncrypted: false,
  sealedKey: null,
  views: 0,
  creatorId: null,
  ownerTokenHash: null,
  creatorAddressHash: null,
  state: 'completed',
  edition: 1,
  visibleEdition: null,
  archiveLevel: 0,
  completedAt: now,
  lastActivityAt: now,
  removedReason: null,
  reverseShareId: null,
  receiverId: null,
  isPrivate: false,
  maxSizeBytes: null,
  senderName: null,
  notifyOnDownload: false,
  language: null,
  receiverLanguage: null,
}
const settings = { ...defaultSettings(), 'general.appUrl': 'https://floe.example.org/' }
const link = 'https://floe.example.org/s/holiday'
const nobody = { name: null, email: null }

describe('describeExpiry', () => {
  it.each([
    [0, 'in 1 minute'],
    [90_000, 'in 1 minute'],
    [hour - 500, 'in 60 minutes'],
    [24 * hour - 5_000, 'in 24 hours'],
    [7 * 24 * hour - 30_000, 'in 7 days'],
    [45 * 24 * hour, 'in 45 days'],
    [75 * 24 * hour, 'in 2 months'],
    [365 * 24 * hour, 'in 12 months'],
    [3 * 365 * 24 * hour, 'in 3 years'],
  ])('says of %d ms: %s', (leftMs, text) => {
    const expiresAt = new Date(now.getTime() + leftMs)
    expect(describeExpiry(expiresAt, now, 'en')).toBe(text)
  })

  it('says of what never ends: never', () => {
    expect(describeExpiry(null, now, 'en')).toBe('never')
  })

  it('speaks the language of the share', () => {
    const { expiresAt } = share
    expect(describeExpiry(expiresAt, now, 'de')).toBe('in 7 Tagen')
    expect(describeExpiry(null, now, 'de')).toBe('nie')
  })
})

describe('the messages', () => {
  it('give recipients sender, link, note and end', () => {
    const sender = { name: 'ann', email: 'ann@example.org' }
    const { subject, text } = recipientMail(settings, { share, now, sender })
    expect(subject).toBe('ann shared files with you')
    for (const part of ['ann shared', link, 'Have a look', 'expires in 7 days']) {
      expect(text).toContain(part)
    }
    const template = { ...settings, 'email.shareRecipientsMessage': '{creator} <{creatorEmail}>' }
    expect(recipientMail(template, { share, now, sender }).text).toBe('ann <ann@example.org>\n')
  })

  it('tell recipients of an encrypted share that the link has no key, however they are worded', () => {
    const encrypted = { ...share, isEncrypted: true }
    const lacks = 'The link in this message lacks its key.'
    const own = { ...settings, 'email.shareRecipientsMessage': 'See {shareUrl}' }
    for (const wording of [settings, own]) {
      const about = { now, sender: nobody }
      expect(recipientMail(wording, { ...about, share: encrypted }).text).toContain(lacks)
      expect(recipientMail(wording, { ...about, share }).text).not.toContain(lacks)
    }
  })

  it('do without a name, a note and an end', () => {
    const bare = { ...share, description: null, expiresAt: null }
    const { subject, text } = recipientMail(settings, { share: bare, now, sender: nobody })
    expect(subject).toBe('Someone shared files with you')
    expect(text).toBe(`Hello,\n\nSomeone shared files with you:\n\n${link}\n`)
    const blank = { ...bare, description: ' \n' }
    expect(recipientMail(settings, { share: blank, now, sender: nobody }).text).toBe(text)
    const message = 'Reply to {creatorEmail}\n{shareUrl} ({creatorEmail}), {desc}, {expires}'
    const template = { ...settings, 'email.shareRecipientsMessage': message }
    expect(recipientMail(template, { share: bare, now, sender: nobody }).text).toBe(
      `${link} (), No description, never\n`,
    )
  })

  it('tell owners what they are about', () => {
    expect(receivedMail(settings, { share, sender: { ...nobody, name: 'Ann' } }).text).toContain(
      `Ann sent you files through your link:\n\n${link}`,
    )
    const sealed = { ...share, sealedKey: 'x' }
    expect(receivedMail(settings, { share: sealed, sender: nobody }).text).toContain(
      'https://floe.example.org/account/reverseShares',
    )
    expect(downloadedMail(settings, { share }).text).toContain(`share Holiday was downloaded`)
    expect(downloadedMail(settings, { share: { ...share, name: null } }).text).toContain(
      'share holiday was downloaded',
    )
    const { text } = reminderMail(settings, { share, now })
    for (const part of ['Holiday', link, 'in 7 days']) expect(text).toContain(part)
  })
})
