import { Button, Text, Title, UnstyledButton } from '@mantine/core'
import type { Downloadable, DownloadCount, ShareActivity } from '@floe/contracts'
import {
  IconArrowNarrowDown,
  IconArrowNarrowUp,
  IconFileDescription,
  IconFileZip,
} from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { type Sorting, sortFiles } from '../file-counts.ts'
import classes from './FileCounts.module.css'

const ROWS_AT_ONCE = 100

interface FileCountsProps {
  activity: ShareActivity
  file: Downloadable | null
  onFile: (file: Downloadable | null) => void
}

/** How often each file was downloaded. Choosing one shows when. */
export function FileCounts({ activity, file, onFile }: FileCountsProps) {
  const { t, i18n } = useTranslation()
  const [sorting, setSorting] = useState<Sorting>({ by: 'total', descending: true })
  const [limit, setLimit] = useState(ROWS_AT_ONCE)
  const files = useMemo(
    () => sortFiles(activity.files, sorting, i18n.language),
    [activity.files, sorting, i18n.language],
  )
  if (activity.encrypted) return <NamesAreEncrypted />
  const toggle = (chosen: Downloadable) => () => onFile(file === chosen ? null : chosen)
  return (
    <Panel>
      <Title order={2} size="h4" px="lg" pt="lg">
        {t('activity.files.title')}
      </Title>
      <table className={classes.table}>
        <SortHeaders sorting={sorting} onSort={setSorting} />
        <tbody>
          <Row
            name={t('activity.files.archive')}
            count={activity.archive}
            sizeBytes={null}
            isChosen={file === 'zip'}
            onChoose={toggle('zip')}
          />
          {files.slice(0, limit).map(({ id, name, size, ...count }) => (
            <Row
              key={id}
              name={name}
              count={count}
              sizeBytes={Number(size)}
              isChosen={file === id}
              onChoose={toggle(id)}
            />
          ))}
        </tbody>
      </table>
      {files.length > limit && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setLimit(limit + ROWS_AT_ONCE)}>
            {t('activity.files.more', { count: files.length - limit })}
          </Button>
        </div>
      )}
    </Panel>
  )
}

/** The server knows the files by ids alone, of which nobody could make anything. */
function NamesAreEncrypted() {
  const { t } = useTranslation()
  return (
    <Panel p="lg">
      <Title order={2} size="h4" mb="xs">
        {t('activity.files.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('activity.files.encrypted')}
      </Text>
    </Panel>
  )
}

interface SortHeadersProps {
  sorting: Sorting
  onSort: (sorting: Sorting) => void
}

function SortHeaders({ sorting, onSort }: SortHeadersProps) {
  const { t } = useTranslation()
  const columns = [
    { by: 'name', label: t('activity.files.name'), beginsHigh: false },
    { by: 'size', label: t('activity.files.size'), beginsHigh: true },
    { by: 'total', label: t('activity.downloads'), beginsHigh: true },
    { by: 'lastDownloadedAt', label: t('activity.lastDownload'), beginsHigh: true },
  ] as const
  const Icon = sorting.descending ? IconArrowNarrowDown : IconArrowNarrowUp
  return (
    <thead>
      <tr>
        {columns.map(({ by, label, beginsHigh }) => {
          const isSorted = sorting.by === by
          const descending = isSorted ? !sorting.descending : beginsHigh
          return (
            <th
              key={by}
              scope="col"
              data-column={by}
              aria-sort={isSorted ? (sorting.descending ? 'descending' : 'ascending') : 'none'}
            >
              <UnstyledButton
                className={classes.sort ?? ''}
                onClick={() => onSort({ by, descending })}
              >
                {label}
                {isSorted && <Icon size={15} aria-hidden="true" />}
              </UnstyledButton>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

interface RowProps {
  name: string
  count: DownloadCount
  /** `null` is the archive. */
  sizeBytes: number | null
  isChosen: boolean
  onChoose: () => void
}

function Row({ name, count, sizeBytes, isChosen, onChoose }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { total, lastDownloadedAt } = count
  const Icon = sizeBytes === null ? IconFileZip : IconFileDescription
  return (
    <tr data-chosen={isChosen}>
      <th scope="row" className={classes.name}>
        <UnstyledButton
          className={classes.choose ?? ''}
          aria-label={t('activity.files.show', { name })}
          aria-pressed={isChosen}
          title={name}
          onClick={onChoose}
        >
          <Icon size={20} aria-hidden="true" />
          <bdi>{name}</bdi>
        </UnstyledButton>
      </th>
      <td data-column="size">{sizeBytes !== null && format.size(sizeBytes)}</td>
      <td data-column="total">{format.count(total)}</td>
      <td data-column="last" data-label={t('activity.lastDownload')}>
        {lastDownloadedAt === null ? '–' : format.shortDate(new Date(lastDownloadedAt))}
      </td>
    </tr>
  )
}
