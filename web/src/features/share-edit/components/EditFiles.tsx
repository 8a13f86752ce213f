import { type SharedFile, visibleName } from '@floe/contracts'
import type { TFunction } from 'i18next'
import { lazy, memo, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { RowButton } from '../../../shared/components/RowButton.tsx'
import { type RowPlace, VirtualRows } from '../../../shared/components/VirtualRows.tsx'
import { type Format, useFormat } from '../../../shared/format/use-format.ts'
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

const ROW_PX = 47
const TOUCH_ROW_PX = 57

type Item = FileEntry | SharedFile

const keyOf = (item: Item) => ('key' in item ? `added ${item.key}` : item.id)

/** New files above the ones the share has; deleting one can be undone until the share is saved. */
export function EditFiles({
  files,
  added,
  removedIds,
  onRemovedChange,
  onTakeOut,
}: EditFilesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [detailed, setDetailed] = useState<SharedFile | null>(null)

  const items = useMemo<Item[]>(() => [...added, ...files], [added, files])

  function toggle({ id }: SharedFile) {
    const next = new Set(removedIds)
    if (!next.delete(id)) next.add(id)
    onRemovedChange(next)
  }

  return (
    <Panel>
      <table className={classes.table} aria-rowcount={items.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t('share.file.name')}</th>
            <th scope="col">{t('share.file.size')}</th>
            <td />
          </tr>
        </thead>
        <VirtualRows
          as="tbody"
          rows={items}
          keyOf={keyOf}
          estimatePx={ROW_PX}
          touchPx={TOUCH_ROW_PX}
        >
          {(item, place) =>
            'key' in item ? (
              <AddedRow entry={item} onTakeOut={onTakeOut} t={t} format={format} {...place} />
            ) : (
              <SharedRow
                file={item}
                isRemoved={removedIds.has(item.id)}
                onToggle={toggle}
                onDetails={setDetailed}
                t={t}
                format={format}
                {...place}
              />
            )
          }
        </VirtualRows>
      </table>
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

interface Words {
  t: TFunction
  format: Format
}

interface AddedRowProps extends RowPlace, Words {
  entry: FileEntry
  onTakeOut: (entry: FileEntry) => void
}

// Both kinds of rows are remembered: scrolling draws the rows around them.

const AddedRow = memo(function AddedRow({ entry, onTakeOut, ...others }: AddedRowProps) {
  const { name, relativePath, sizeBytes } = entry
  return (
    <Row
      name={visibleName(relativePath ?? name)}
      sizeBytes={sizeBytes}
      state="added"
      onToggle={() => onTakeOut(entry)}
      {...others}
    />
  )
})

interface SharedRowProps extends RowPlace, Words {
  file: SharedFile
  isRemoved: boolean
  onToggle: (file: SharedFile) => void
  onDetails: (file: SharedFile) => void
}

const SharedRow = memo(function SharedRow(props: SharedRowProps) {
  const { file, isRemoved, onToggle, onDetails, ...others } = props
  return (
    <Row
      name={visibleName(file.name)}
      sizeBytes={Number(file.size)}
      state={isRemoved ? 'removed' : 'kept'}
      onToggle={() => onToggle(file)}
      onDetails={() => onDetails(file)}
      {...others}
    />
  )
})

interface RowProps extends RowPlace, Words {
  name: string
  sizeBytes: number
  state: 'kept' | 'removed' | 'added'
  onToggle: () => void
  /** Absent for what the server does not have yet. */
  onDetails?: () => void
}

function Row({ name, sizeBytes, state, onToggle, onDetails, t, format, ...place }: RowProps) {
  return (
    <tr data-state={state} {...place}>
      <td className={classes.name}>
        <bdi>{state === 'removed' ? <del>{name}</del> : name}</bdi>
        {state === 'added' && <span className={classes.mark}>{t('edit.new')}</span>}
      </td>
      <td className={classes.size}>{format.size(sizeBytes)}</td>
      <td className={classes.action}>
        {onDetails && (
          <RowButton icon="details" label={t('share.file.details', { name })} onClick={onDetails} />
        )}
        <RowButton
          icon={state === 'removed' ? 'restore' : 'remove'}
          label={
            state === 'removed' ? t('edit.undoDelete', { name }) : t('edit.deleteFile', { name })
          }
          isAccented={state === 'removed'}
          onClick={onToggle}
        />
      </td>
    </tr>
  )
}
