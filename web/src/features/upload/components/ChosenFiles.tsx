import { Button } from '@mantine/core'
import { visibleName } from '@floe/contracts'
import type { TFunction } from 'i18next'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { RowButton } from '../../../shared/components/RowButton.tsx'
import { type RowPlace, VirtualRows } from '../../../shared/components/VirtualRows.tsx'
import { type Format, useFormat } from '../../../shared/format/use-format.ts'
import { type FileEntry, totalSize } from '../../../shared/upload/file-entry.ts'
import classes from './ChosenFiles.module.css'

const ROW_PX = 47
const TOUCH_ROW_PX = 57

const keyOf = ({ key }: FileEntry) => key

/** What will be shared, before anything is sent. */
export function ChosenFiles({
  entries,
  onRemove,
  onClear,
}: {
  entries: readonly FileEntry[]
  onRemove: (entry: FileEntry) => void
  onClear: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Panel>
      <table className={classes.table} aria-rowcount={entries.length + 1}>
        <caption className={classes.caption}>
          <div className={classes.total}>
            {t('upload.list.total', {
              count: entries.length,
              size: format.size(totalSize(entries)),
            })}
            {entries.length > 1 && (
              <Button
                className={classes.clear ?? ''}
                variant="subtle"
                color="gray"
                size="compact-sm"
                onClick={onClear}
              >
                {t('upload.list.clear')}
              </Button>
            )}
          </div>
        </caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t('upload.list.name')}</th>
            <th scope="col" className={classes.size}>
              {t('upload.list.size')}
            </th>
            <td />
          </tr>
        </thead>
        <VirtualRows
          as="tbody"
          rows={entries}
          keyOf={keyOf}
          estimatePx={ROW_PX}
          touchPx={TOUCH_ROW_PX}
        >
          {(entry, place) => (
            <Row entry={entry} onRemove={onRemove} t={t} format={format} {...place} />
          )}
        </VirtualRows>
      </table>
    </Panel>
  )
}

interface RowProps extends RowPlace {
  entry: FileEntry
  onRemove: (entry: FileEntry) => void
  t: TFunction
  format: Format
}

/**
 * Remembered, since scrolling draws the rows around it, and handed what every row would have to
 * ask for: a quick scroll draws dozens of new ones for each frame.
 */
const Row = memo(function Row({ entry, onRemove, t, format, ...place }: RowProps) {
  const { name, relativePath, sizeBytes } = entry
  const label = visibleName(relativePath ?? name)
  return (
    <tr {...place}>
      <td className={classes.name}>
        <bdi>{label}</bdi>
      </td>
      <td className={classes.size}>{format.size(sizeBytes)}</td>
      <td className={classes.action}>
        <RowButton
          icon="remove"
          label={t('upload.list.remove', { name: label })}
          onClick={() => onRemove(entry)}
        />
      </td>
    </tr>
  )
})
