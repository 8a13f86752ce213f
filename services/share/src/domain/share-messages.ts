import { type Language, pagePath, type Settings, shortSharePath } from '@floe/contracts'
import {
  fixedWords,
  mailLanguage,
  mailTexts,
  type RenderedMail,
  renderMail,
  wordMail,
} from '@floe/mail'
import type { Share } from './share.ts'

interface About {
  share: Share
  now: Date
}

/** Somebody's address and name, as an account or as nobody in particular. */
export interface Sender {
  name: string | null
  email: string | null
}

export function recipientMail(
  settings: Settings,
  { share, now, sender }: About & { sender: Sender },
): RenderedMail {
  const texts = mailTexts(mailLanguage(settings, share.language))
  const wording = wordMail(settings, 'shareRecipients', share.language)
  const { message } = wording
  return renderMail({
    ...wording,
    message: share.isEncrypted ? `${message}\n\n${texts.linkWithoutKey}` : message,
    values: {
      creator: sender.name ?? texts.someone,
      creatorEmail: sender.email ?? '',
      shareUrl: shareUrl(settings, share),
      desc: share.description?.trim() || texts.noDescription,
      expires: describeExpiry(share.expiresAt, now, mailLanguage(settings, share.language)),
    },
    absent: [
      ...(sender.email ? [] : ['creatorEmail']),
      ...(share.description?.trim() ? [] : ['desc']),
      ...(share.expiresAt ? [] : ['expires']),
    ],
    settings,
  })
}

/** To a recipient who asked for it; the share is named, as nobody else can ask for one. */
export function codeMail(
  settings: Settings,
  { share, code, language }: Pick<About, 'share'> & { code: string; language: Language | null },
): RenderedMail {
  return renderMail({
    ...fixedWords(settings, 'shareCode', { action: 'openShare', language }),
    values: { code, name: share.name ?? share.id },
    settings,
  })
}

export function receivedMail(
  settings: Settings,
  { share, sender }: Pick<About, 'share'> & { sender: Sender },
): RenderedMail {
  return renderMail({
    ...wordMail(settings, 'reverseShare', share.receiverLanguage),
    values: {
      // Its link does not open it: that page has what does.
      shareUrl: share.sealedKey
        ? siteUrl(settings, pagePath('reverseShares'))
        : shareUrl(settings, share),
      creator: sender.name ?? mailTexts(mailLanguage(settings, share.receiverLanguage)).someone,
    },
    settings,
  })
}

export function downloadedMail(settings: Settings, { share }: Pick<About, 'share'>): RenderedMail {
  return renderMail({
    ...wordMail(settings, 'shareDownloadNotification', share.language),
    values: { shareUrl: shareUrl(settings, share), name: share.name ?? share.id },
    settings,
  })
}

export function reminderMail(settings: Settings, { share, now }: About): RenderedMail {
  return renderMail({
    ...wordMail(settings, 'shareReminder', share.language),
    values: {
      shareUrl: shareUrl(settings, share),
      name: share.name ?? share.id,
      expires: describeExpiry(share.expiresAt, now, mailLanguage(settings, share.language)),
    },
    settings,
  })
}

export function infectedMail(
  settings: Settings,
  { share, file }: Pick<About, 'share'> & { file: { name: string; threat: string } },
): RenderedMail {
  const language = share.creatorId === null ? share.receiverLanguage : share.language
  return renderMail({
    ...fixedWords(settings, 'infectedFile', { action: 'openShare', language }),
    values: {
      ...{ file: file.name, threat: file.threat, name: share.name ?? share.id },
      ...{ appName: settings['general.appName'], shareUrl: shareUrl(settings, share) },
    },
    settings,
  })
}

/** Where people find it. */
export function shareUrl(settings: Settings, { id }: Pick<Share, 'id'>): string {
  return siteUrl(settings, shortSharePath(id))
}

/** The address that deletes it. */
export function deleteUrl(settings: Settings, { id }: Pick<Share, 'id'>, secret: string): string {
  return siteUrl(settings, pagePath('deleteShare', { id, secret }))
}

function siteUrl(settings: Settings, path: string): string {
  return `${settings['general.appUrl'].replace(/\/+$/, '')}${path}`
}

const units = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** So much of a unit may be missing: what was set to 7 days is read a moment later. */
const slack = 0.1

/** As people say it: "in 7 days", or "never". In the biggest unit that is left at least twice. */
export function describeExpiry(expiresAt: Date | null, now: Date, language: Language): string {
  if (expiresAt === null) return mailTexts(language).never
  const leftMs = expiresAt.getTime() - now.getTime()
  const [unit, unitMs] = units.find(([, ms]) => leftMs / ms + slack >= 2) ?? ['minute', 60_000]
  const amount = Math.max(1, Math.floor(leftMs / unitMs + slack))
  return new Intl.RelativeTimeFormat(language).format(amount, unit)
}
