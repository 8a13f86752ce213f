import { ActionIcon, Button, Group, Title } from '@mantine/core'
import type { Downloadable, ShareActivity } from '@floe/contracts'
import { IconChartBar, IconTable, IconX } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { createSlots, type TimeSlots } from '../time-slots.ts'
import { useSlotFormat } from '../use-slot-format.ts'
import { ActivityChart } from './ActivityChart.tsx'
import classes from './ActivityPanel.module.css'
import { ActivityTable } from './ActivityTable.tsx'

export type SeriesKey = 'views' | 'downloads'

interface ActivityPanelProps {
  activity: ShareActivity
  file: Downloadable | null
  onFile: (file: Downloadable | null) => void
}

/** What happened when: as bars, or in words and numbers. */
export function ActivityPanel({ activity, file, onFile }: ActivityPanelProps) {
  const { t } = useTranslation()
  const [isTable, setIsTable] = useState(false)
  const time = useTimeSlots(activity)
  const shown: readonly SeriesKey[] = file === null ? ['views', 'downloads'] : ['downloads']
  const name =
    file === 'zip'
      ? t('activity.files.archive')
      : activity.files.find(({ id }) => id === file)?.name
  const title =
    file === null
      ? t(`activity.chart.${time.unit}`)
      : t('activity.chart.file', { name: name ?? '' })
  const other = isTable ? t('activity.chart.asChart') : t('activity.chart.asTable')
  const isEmpty = time.slots.every((slot) => shown.every((key) => slot[key] === 0))
  return (
    <Panel p="lg">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <div>
          <Title order={2} size="h4" className={classes.title ?? ''}>
            {title}
          </Title>
          <Legend shown={shown} />
        </div>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={other}
          title={other}
          onClick={() => setIsTable(!isTable)}
        >
          {isTable ? <IconChartBar size={18} /> : <IconTable size={18} />}
        </ActionIcon>
      </Group>
      {isTable && !isEmpty ? (
        <ActivityTable time={time} shown={shown} />
      ) : (
        <LabelledChart time={time} shown={shown} isEmpty={isEmpty} />
      )}
      {file !== null && (
        <Button
          variant="default"
          size="compact-sm"
          mt="md"
          leftSection={<IconX size={15} />}
          onClick={() => onFile(null)}
        >
          {t('activity.chart.everything')}
        </Button>
      )}
    </Panel>
  )
}

/** Made anew with every response, so that the last slot ends now. */
function useTimeSlots({ createdAt, views, downloads }: ShareActivity): TimeSlots {
  return useMemo(
    () =>
      createSlots({
        createdAt: new Date(createdAt),
        now: new Date(),
        views: views.hours,
        downloads: downloads.hours,
      }),
    [createdAt, views, downloads],
  )
}

function Legend({ shown }: { shown: readonly SeriesKey[] }) {
  const { t } = useTranslation()
  return (
    <ul className={classes.legend}>
      {shown.map((key) => (
        <li key={key} data-series={key}>
          {t(`activity.${key}`)}
        </li>
      ))}
    </ul>
  )
}

function LabelledChart({
  time,
  shown,
  isEmpty,
}: {
  time: TimeSlots
  shown: readonly SeriesKey[]
  isEmpty: boolean
}) {
  const { t, i18n } = useTranslation()
  const format = useSlotFormat(time.unit)
  const [first] = time.slots
  const last = time.slots.at(-1)
  const sum = (key: SeriesKey) =>
    new Intl.NumberFormat(i18n.language).format(
      time.slots.reduce((total, slot) => total + slot[key], 0),
    )
  const range = {
    from: first ? format.full(first) : '',
    to: last ? format.full(last) : '',
    downloads: sum('downloads'),
  }
  return (
    <ActivityChart
      time={time}
      shown={shown}
      label={
        shown.includes('views')
          ? t('activity.chart.label', { ...range, views: sum('views') })
          : t('activity.chart.labelFile', range)
      }
      caption={isEmpty ? t('activity.chart.nothing') : null}
    />
  )
}
