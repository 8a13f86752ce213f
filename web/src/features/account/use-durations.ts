import { parseExpiration } from '@floe/contracts'
import { useTranslation } from 'react-i18next'

/** Says an expiration of the wire, such as `90-days`, as people say it. */
export function useDurations(): (expiration: string) => string {
  const { t, i18n } = useTranslation()
  return (expiration) => {
    const duration = parseExpiration(expiration)
    if (duration === null) return t('share.expiry.never')
    const { amount, unit } = duration
    const options = { style: 'unit', unit, unitDisplay: 'long' } as const
    return new Intl.NumberFormat(i18n.language, options).format(amount)
  }
}
