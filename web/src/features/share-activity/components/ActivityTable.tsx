import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { TimeSlots } from '../time-slots.ts'
import { useSlotFormat } from '../use-slot-format.ts'
import type { SeriesKey } from './ActivityPanel.tsx'
import classes from './ActivityTable.module.css'

interface ActivityTableProps {
  time: TimeSlots
  shown: readonly SeriesKey[]
}

/** The chart in numbers, newest first; times without anything are left out. */
export function ActivityTable({ time, shown }: ActivityTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const slotFormat = useSlotFormat(time.unit)
  const slots = time.slots.filter((slot) => shown.some((key) => slot[key] > 0)).toReversed()
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('activity.chart.when')}</th>
          {shown.map((key) => (
            <th key={key} scope="col">
              {t(`activity.${key}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {slots.map((slot) => (
          <tr key={slot.startsAt.getTime()}>
            <th scope="row">{slotFormat.full(slot)}</th>
            {shown.map((key) => (
              <td key={key}>{format.count(slot[key])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
