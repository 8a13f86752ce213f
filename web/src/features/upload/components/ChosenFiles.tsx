import { ActionIcon, Text } from '@mantine/core'
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
}: {
  entries: readonly FileEntry[]
  onRemove: (key: string) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const hidden = entries.length - MAX_ROWS
  return (
    <Panel>
      <table className={classes.table}>
        <caption className={classes.caption}>
          {t('upload.list.total', {
            count: entries.length,
            size: format.size(totalSize(entries)),
          })}
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
          {entries.slice(0, MAX_ROWS).map(({ key, name, relativePath, sizeBytes }) => (
            <tr key={key}>
              <td className={classes.name}>
                <bdi>{visibleName(relativePath ?? name)}</bdi>
              </td>
              <td className={classes.size}>{format.size(sizeBytes)}</td>
              <td className={classes.action}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={t('upload.list.remove', { name: visibleName(relativePath ?? name) })}
                  title={t('upload.list.remove', { name: visibleName(relativePath ?? name) })}
                  onClick={() => onRemove(key)}
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
