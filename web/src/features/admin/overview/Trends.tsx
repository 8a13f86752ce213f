import type { Overview } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { type Metric, type TrendDay, trendDays } from './trend-days.ts'
import classes from './Trends.module.css'

const metrics = ['storageBytes', 'shares', 'users'] as const

/** The part of a day's width that stays free on each side. */
const GAP = 0.14

/** How much there is, and how it came to that. */
export function Trends({ overview }: { overview: Overview }) {
  const { t } = useTranslation()
  const today = new Date()
  return (
    <Panel>
      <dl className={classes.trends}>
        {metrics.map((metric) => (
          <div key={metric}>
            <dt>{t(`overview.metrics.${metric}`)}</dt>
            <Trend
              metric={metric}
              now={overview.now[metric]}
              days={trendDays(overview, metric, today)}
            />
          </div>
        ))}
      </dl>
    </Panel>
  )
}

interface TrendProps {
  metric: Metric
  now: number | null
  days: readonly TrendDay[]
}

function Trend({ metric, now, days }: TrendProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const present = (value: number) =>
    metric === 'storageBytes' ? format.size(value) : format.count(value)
  const known = days.flatMap(({ value }) => (value === null ? [] : [value]))
  const [first = 0] = known
  const label = t('overview.trend', { first: present(first), last: present(known.at(-1) ?? 0) })
  const top = Math.max(1, ...known)
  return (
    <>
      <dd>{now === null ? t('overview.unknown') : present(now)}</dd>
      <dd>
        <svg
          className={classes.bars}
          role="img"
          aria-label={label}
          viewBox={`0 0 ${days.length} 1`}
          preserveAspectRatio="none"
        >
          {/* For those who point at a day: the label tells the rest. */}
          <g aria-hidden="true">
            {days.map(({ day, value }, place) => (
              <rect
                key={day}
                data-known={value !== null}
                x={place + GAP}
                width={1 - 2 * GAP}
                // Nothing still shows that somebody looked.
                y={value === null ? 0.97 : Math.min(0.97, 1 - value / top)}
                height={value === null ? 0.03 : Math.max(0.03, value / top)}
              >
                <title>{`${day}: ${value === null ? t('overview.unknown') : present(value)}`}</title>
              </rect>
            ))}
          </g>
        </svg>
      </dd>
    </>
  )
}
