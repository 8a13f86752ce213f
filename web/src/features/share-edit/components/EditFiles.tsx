import { ActionIcon } from '@mantine/core'
import { type SharedFile, visibleName } from '@floe/contracts'
import { IconArrowBackUp, IconInfoCircle, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { FileEntry } from '../../../shared/upload/file-entry.ts'
import classes from './EditFiles.module.css'

interface EditFilesProps {
  files: readonly SharedFile[]
  added: readonly FileEntry[]
  removedIds: ReadonlySet<string>
  onRemovedChange: (removedIds: ReadonlySet<string>) => void
  onTakeOut: (entry: FileEntry) => void
}

const FileDetailsDialog = lazy(() =>
  import('../../../shared/share/FileDetailsDialog.tsx').then(({ FileDetailsDialog }) => ({
    default: FileDetailsDialog,
  })),
)

const ROWS_AT_ONCE = 200

/** New files above the ones the share has; deleting one can be undone until the share is saved. */
export function EditFiles({
  files,
  added,
  removedIds,
  onRemovedChange,
  onTakeOut,
}: EditFilesProps) {
  const { t } = useTranslation()
  const [limit, setLimit] = useState(ROWS_AT_ONCE)
  const [detailed, setDetailed] = useState<SharedFile | null>(null)

  function toggle(id: string) {
    const next = new Set(removedIds)
    if (!next.delete(id)) next.add(id)
    onRemovedChange(next)
  }

  return (
    <Panel>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('share.file.name')}</th>
            <th scope="col">{t('share.file.size')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {added.slice(0, limit).map((entry) => (
            <Row
              key={entry.key}
              name={visibleName(entry.relativePath ?? entry.name)}
              sizeBytes={entry.sizeBytes}
              state="added"
              onToggle={() => onTakeOut(entry)}
            />
          ))}
          {files.slice(0, limit).map((file) => (
            <Row
              key={file.id}
              name={visibleName(file.name)}
              sizeBytes={Number(file.size)}
              state={removedIds.has(file.id) ? 'removed' : 'kept'}
              onToggle={() => toggle(file.id)}
              onDetails={() => setDetailed(file)}
            />
          ))}
        </tbody>
      </table>
      {Math.max(files.length, added.length) > limit && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setLimit(limit + ROWS_AT_ONCE)}>
            {t('common.showMore')}
          </Button>
        </div>
      )}
      <Suspense>
        {detailed && (
          <FileDetailsDialog
            file={{
              name: visibleName(detailed.name),
              sizeBytes: Number(detailed.size),
              sha256: detailed.sha256 ?? null,
            }}
            onClose={() => setDetailed(null)}
          />
        )}
      </Suspense>
    </Panel>
  )
}

interface RowProps {
  name: string
  sizeBytes: number
  state: 'kept' | 'removed' | 'added'
  onToggle: () => void
  /** Absent for what the server does not have yet. */
  onDetails?: () => void
}

function Row({ name, sizeBytes, state, onToggle, onDetails }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const label =
    state === 'removed' ? t('edit.undoDelete', { name }) : t('edit.deleteFile', { name })
  const details = t('share.file.details', { name })
  return (
    <tr data-state={state}>
      <td className={classes.name}>
        <bdi>{state === 'removed' ? <del>{name}</del> : name}</bdi>
        {state === 'added' && <span className={classes.mark}>{t('edit.new')}</span>}
      </td>
      <td className={classes.size}>{format.size(sizeBytes)}</td>
      <td className={classes.action}>
        {onDetails && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={details}
            title={details}
            onClick={onDetails}
          >
            <IconInfoCircle size={18} />
          </ActionIcon>
        )}
        <ActionIcon
          variant="subtle"
          color={state === 'removed' ? 'ice' : 'gray'}
          size="lg"
          aria-label={label}
          title={label}
          onClick={onToggle}
        >
          {state === 'removed' ? <IconArrowBackUp size={18} /> : <IconTrash size={18} />}
        </ActionIcon>
      </td>
    </tr>
  )
}
