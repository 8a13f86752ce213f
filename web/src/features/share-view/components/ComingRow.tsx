import { useTranslation } from 'react-i18next'
import type { RowPlace } from '../../../shared/components/VirtualRows.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { FileLeaf } from '../file-tree.ts'
import classes from './ComingRow.module.css'
import { FileIcon } from './FileIcon.tsx'
import table from './FileTable.module.css'

interface ComingRowProps extends Partial<RowPlace> {
  file: FileLeaf
}

/** A file on its way: how far it is, and nothing to press before it is there. */
export function ComingRow({ file, ...place }: ComingRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, sizeBytes, received } = file
  const part = sizeBytes === 0 ? 0 : Math.min(1, (received ?? 0) / sizeBytes)
  // The last part is never shown as done: what follows is the file itself.
  const percent = Math.min(99, Math.floor(part * 100))
  return (
    <tr {...place} data-coming>
      <td className={table.name}>
        <span className={`${table.open} ${classes.name}`} title={name}>
          <FileIcon shareId="" file={file} />
          <bdi>{name}</bdi>
        </span>
      </td>
      <td className={table.size}>{format.size(sizeBytes)}</td>
      <td className={table.actions}>
        <div className={classes.state}>
          {received ? (
            <>
              <progress
                className={classes.bar}
                value={percent}
                max={100}
                aria-label={t('share.coming.progress', { name })}
              />
              <span className={classes.percent}>{format.percent(percent / 100)}</span>
            </>
          ) : (
            t('share.coming.waiting')
          )}
        </div>
      </td>
    </tr>
  )
}
