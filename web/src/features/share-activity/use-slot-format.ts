import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Slot, SlotUnit } from './time-slots.ts'

const short: Record<SlotUnit, Intl.DateTimeFormatOptions> = {
  hour: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
}
const full: Record<SlotUnit, Intl.DateTimeFormatOptions> = {
  hour: { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'long' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
}

/** Names slots of time in the viewer's language: briefly below an axis, in full elsewhere. */
export function useSlotFormat(unit: SlotUnit) {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const shortFormat = new Intl.DateTimeFormat(i18n.language, short[unit])
    const fullFormat = new Intl.DateTimeFormat(i18n.language, full[unit])
    return {
      short: ({ startsAt }: Slot) => shortFormat.format(startsAt),
      full: ({ startsAt, endsOn }: Slot) =>
        unit === 'week' ? fullFormat.formatRange(startsAt, endsOn) : fullFormat.format(startsAt),
    }
  }, [i18n.language, unit])
}
