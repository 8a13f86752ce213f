import { formatSize, formatSizeUnit, type SizeUnit } from '@floe/contracts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatSeconds, formatShortDate } from './format.ts'

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
      seconds: (seconds: number) => formatSeconds(seconds, language),
      /** A time to wait, spelt out. */
      wait: (seconds: number) => formatSeconds(seconds, language, 'long'),
      percent: (share: number) =>
        new Intl.NumberFormat(language, { style: 'percent' }).format(share),
      count: (count: number) => new Intl.NumberFormat(language).format(count),
    }),
    [language],
  )
}
