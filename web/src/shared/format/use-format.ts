import { formatSize, formatSizeUnit, type SizeUnit } from '@floe/contracts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  formatDate,
  formatPeriod,
  formatSeconds,
  formatShortDate,
  formatTimeLeft,
} from './format.ts'

export type Format = ReturnType<typeof useFormat>

export function useFormat() {
  const { i18n } = useTranslation()
  const { language } = i18n
  return useMemo(
    () => ({
      size: (bytes: number) => formatSize(bytes, language),
      sizeUnit: (unit: SizeUnit) => formatSizeUnit(unit, language),
      date: (date: Date) => formatDate(date, language),
      shortDate: (date: Date) => formatShortDate(date, language),
      /** From now on. */
      timeLeft: (date: Date) => formatTimeLeft(date, Date.now(), language),
      seconds: (seconds: number) => formatSeconds(seconds, language),
      /** A time to wait, spelt out. */
      wait: (seconds: number) => formatSeconds(seconds, language, 'long'),
      /** How long something lasts, in days where they say it exactly. */
      period: (hours: number) => formatPeriod(hours, language),
      percent: (share: number) =>
        new Intl.NumberFormat(language, { style: 'percent' }).format(share),
      list: (items: readonly string[]) => new Intl.ListFormat(language).format(items),
      count: (count: number) => new Intl.NumberFormat(language).format(count),
    }),
    [language],
  )
}
