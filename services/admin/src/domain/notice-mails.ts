import {
  type ConfigKey,
  formatSize,
  type Language,
  RELEASE_VERSION,
  type Settings,
} from '@floe/contracts'
import { mailLanguage, mailTexts, type RenderedMail, renderMail } from '@floe/mail'
import type { Notice, NoticeKind } from './notice-rules.ts'

/** What switches each kind on. */
export const noticeSettings = {
  'user.created': 'notices.newAccount',
  'storage.almost_full': 'notices.storage',
  'job.failed': 'notices.failedJobs',
  'release.published': 'notices.newRelease',
  'file.infected': 'notices.antivirus',
  'scanner.away': 'notices.antivirus',
} as const satisfies Record<NoticeKind, ConfigKey>

const texts = {
  'user.created': 'newAccountNotice',
  'storage.almost_full': 'storageNotice',
  'job.failed': 'failedJobsNotice',
  'release.published': 'newReleaseNotice',
  'file.infected': 'infectedFilesNotice',
  'scanner.away': 'scannerAwayNotice',
} as const satisfies Record<NoticeKind, string>

const MOST_NAMES = 20

/** All of one kind, at least one; only of accounts there are several. */
export function noticeMail(
  settings: Settings,
  { notices, language: asked }: { notices: readonly Notice[]; language: Language | null },
): RenderedMail {
  const [notice] = notices
  if (!notice) throw new Error('There is nothing to tell')
  const language = mailLanguage(settings, asked)
  const own = mailTexts(language)
  const text = texts[notice.kind]
  const pageUrl = (path: string) => settings['general.appUrl'].replace(/\/+$/, '') + path
  return renderMail({
    subject: own[`${text}Subject`],
    message: `${own[`${text}Message`]}\n\n${own.noticeSettings}`,
    language,
    action: own.openAdministration,
    values: {
      ...valuesOf(notice, notices, language),
      appName: settings['general.appName'],
      url: pageUrl(notice.kind === 'user.created' ? '/admin/users' : '/admin'),
      settingsUrl: pageUrl(`/admin/config/notices#${noticeSettings[notice.kind]}`),
    },
    settings,
  })
}

function valuesOf(
  notice: Notice,
  notices: readonly Notice[],
  language: Language,
): Record<string, string> {
  const number = new Intl.NumberFormat(language)
  switch (notice.kind) {
    case 'user.created': {
      const names = notices.flatMap((one) => (one.kind === 'user.created' ? [one.username] : []))
      const shown = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), '…'] : names
      return { count: number.format(names.length), names: shown.join('\n') }
    }
    case 'storage.almost_full': {
      const { usedBytes, totalBytes } = notice
      // What is not full is not called so.
      const percent = Math.floor((usedBytes / totalBytes) * 100) / 100
      return {
        percent: new Intl.NumberFormat(language, { style: 'percent' }).format(percent),
        used: formatSize(usedBytes, language),
        total: formatSize(totalBytes, language),
      }
    }
    case 'job.failed':
    case 'file.infected':
      return { count: number.format(notice.count) }
    case 'scanner.away':
      return { count: number.format(notice.waiting) }
    case 'release.published':
      return { version: notice.version, current: RELEASE_VERSION, releaseUrl: notice.url }
  }
}
