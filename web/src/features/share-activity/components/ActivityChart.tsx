import { type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { chooseLabels, chooseTicks } from '../ticks.ts'
import type { Slot, TimeSlots } from '../time-slots.ts'
import { useSlotFormat } from '../use-slot-format.ts'
import classes from './ActivityChart.module.css'
import type { SeriesKey } from './ActivityPanel.tsx'

/** The part of a slot's width that stays free on each side. */
const GAP = 0.14
const LABELS = 6

interface ActivityChartProps {
  time: TimeSlots
  shown: readonly SeriesKey[]
  /** What somebody who does not see it is told. */
  label: string
  /** Stands in the middle of an empty one. */
  /** Stands across an empty chart. */
  caption: string | null
}

/**
 * Bars over time. The picture is drawn in slots and counts and stretched to its place, so that
 * nothing has to be measured; a page that reads from the right mirrors it.
 */
export function ActivityChart({ time, shown, label, caption }: ActivityChartProps) {
  const format = useFormat()
  const [pointed, setPointed] = useState<number | null>(null)
  const { slots } = time
  const ticks = chooseTicks(Math.max(...slots.flatMap((slot) => shown.map((key) => slot[key]))))
  const top = ticks.at(-1) ?? 1
  const slot = pointed === null ? undefined : slots[pointed]
  return (
    <div className={classes.chart}>
      <div className={classes.counts} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ insetBlockEnd: `${(tick / top) * 100}%` }}>
            {format.count(tick)}
          </span>
        ))}
      </div>
      <div
        className={classes.plot}
        onPointerMove={(event) => setPointed(findSlot(event, slots.length))}
        onPointerDown={(event) => setPointed(findSlot(event, slots.length))}
        onPointerLeave={() => setPointed(null)}
      >
        <svg
          className={classes.picture}
          role="img"
          aria-label={label}
          viewBox={`0 0 ${slots.length} ${top}`}
          preserveAspectRatio="none"
        >
          {ticks.map((tick) => (
            <path key={tick} className={classes.line} d={`M0 ${top - tick}H${slots.length}`} />
          ))}
          {pointed !== null && caption === null && (
            <rect className={classes.pointed} x={pointed} y={0} width={1} height={top} />
          )}
          {shown.map((key, index) => (
            <path
              key={key}
              className={classes.bars}
              data-series={key}
              d={drawBars(slots, { key, index, of: shown.length, top })}
            />
          ))}
        </svg>
        {caption !== null && <p className={classes.caption}>{caption}</p>}
        {slot && pointed !== null && caption === null && (
          <Reading time={time} slot={slot} place={(pointed + 0.5) / slots.length} shown={shown} />
        )}
      </div>
      <TimeAxis time={time} />
    </div>
  )
}

/** One path for all bars of a series. */
function drawBars(
  slots: readonly Slot[],
  { key, index, of, top }: { key: SeriesKey; index: number; of: number; top: number },
): string {
  const width = (1 - 2 * GAP) / of
  return slots
    .map((slot, place) => {
      if (slot[key] === 0) return ''
      const x = place + GAP + index * width
      return `M${x} ${top}V${top - slot[key]}h${width}V${top}z`
    })
    .join('')
}

function findSlot({ currentTarget, clientX }: PointerEvent, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect()
  const fromLeft = (clientX - left) / width
  const fromStart = getComputedStyle(currentTarget).direction === 'rtl' ? 1 - fromLeft : fromLeft
  return Math.max(0, Math.min(count - 1, Math.floor(fromStart * count)))
}

/** The numbers of the slot under the pointer. */
function Reading({
  time,
  slot,
  place,
  shown,
}: {
  time: TimeSlots
  slot: Slot
  place: number
  shown: readonly SeriesKey[]
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const slotFormat = useSlotFormat(time.unit)
  return (
    <div
      className={classes.reading}
      data-side={place > 0.5 ? 'before' : 'after'}
      style={{ insetInlineStart: `${place * 100}%` }}
      aria-hidden="true"
    >
      <strong>{slotFormat.full(slot)}</strong>
      {shown.map((key) => (
        <span key={key} data-series={key}>
          {t(`activity.${key}`)}
          <b>{format.count(slot[key])}</b>
        </span>
      ))}
    </div>
  )
}

function TimeAxis({ time: { slots, unit } }: { time: TimeSlots }) {
  const format = useSlotFormat(unit)
  const labels = chooseLabels(slots.length, LABELS)
  return (
    <div className={classes.axis} aria-hidden="true">
      {labels.map((place, index) => {
        const slot = slots[place]
        return (
          slot && (
            <span
              key={place}
              // Every other one gives way on a phone, but not the last.
              data-spare={(labels.length - 1 - index) % 2 === 1}
              style={{ insetInlineStart: `${((place + 0.5) / slots.length) * 100}%` }}
            >
              {format.short(slot)}
            </span>
          )
        )
      })}
    </div>
  )
}
