import { ActionIcon, Button, Text } from '@mantine/core'
import { visibleName } from '@floe/contracts'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { type FileEntry, totalSize } from '../../../shared/upload/file-entry.ts'
import classes from './ChosenFiles.module.css'

const MAX_ROWS = 100

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
  const hidden = entries.length - MAX_ROWS
  const labelOf = ({ relativePath, name }: FileEntry) =>
    t('upload.list.remove', { name: visibleName(relativePath ?? name) })
  return (
    <Panel>
      <table className={classes.table}>
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
          <tr>
            <th scope="col">{t('upload.list.name')}</th>
            <th scope="col" className={classes.size}>
              {t('upload.list.size')}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, MAX_ROWS).map((entry) => (
            <tr key={entry.key}>
              <td className={classes.name}>
                <bdi>{visibleName(entry.relativePath ?? entry.name)}</bdi>
              </td>
              <td className={classes.size}>{format.size(entry.sizeBytes)}</td>
              <td className={classes.action}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={labelOf(entry)}
                  title={labelOf(entry)}
                  onClick={() => onRemove(entry)}
                >
                  <IconTrash size={17} />
                </ActionIcon>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <Text c="dimmed" size="sm" p="md">
          {t('upload.list.more', { count: hidden })}
        </Text>
      )}
    </Panel>
  )
}
