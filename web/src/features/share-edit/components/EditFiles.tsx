import { type SharedFile, visibleName } from '@floe/contracts'
import type { TFunction } from 'i18next'
import { memo, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { RowButton } from '../../../shared/components/RowButton.tsx'
import { type RowPlace, VirtualRows } from '../../../shared/components/VirtualRows.tsx'
import { type Format, useFormat } from '../../../shared/format/use-format.ts'
import { lazyPart } from '../../../shared/lazy-part.ts'
import { isEditable } from '../../../shared/text-file/text-file.ts'
import type { FileEntry } from '../../../shared/upload/file-entry.ts'
import type { EditedFiles } from '../use-edit-files.ts'
import classes from './EditFiles.module.css'

interface EditFilesProps {
  shared: readonly SharedFile[]
  files: EditedFiles
  /** Opens a text. */
  onEdit: (item: Item) => void
}

const FileDetailsDialog = lazyPart(
  () => import('../../../shared/share/FileDetailsDialog.tsx'),
  ({ FileDetailsDialog }) => FileDetailsDialog,
)

const ROW_PX = 47
const TOUCH_ROW_PX = 57

type Item = FileEntry | SharedFile

const keyOf = (item: Item) => ('key' in item ? `added ${item.key}` : item.id)

/** New files above the ones the share has, whose changes can be undone until the share is saved. */
export function EditFiles({ shared, files, onEdit }: EditFilesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [detailed, setDetailed] = useState<SharedFile | null>(null)

  const { added, removedIds, edited } = files
  const items = useMemo<Item[]>(() => [...added, ...shared], [added, shared])

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
              <AddedRow
                entry={item}
                onTakeOut={files.takeOut}
                onEdit={onEdit}
                t={t}
                format={format}
                {...place}
              />
            ) : (
              <SharedRow
                file={item}
                edited={edited.get(item.id)}
                isRemoved={removedIds.has(item.id)}
                onToggle={files.toggle}
                onEdit={onEdit}
                onUndoEdit={files.undoEdit}
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
  onEdit: (entry: FileEntry) => void
}

// Both kinds of rows are remembered: scrolling draws the rows around them.

const AddedRow = memo(function AddedRow({ entry, onTakeOut, onEdit, ...others }: AddedRowProps) {
  const { name, relativePath, sizeBytes, file } = entry
  return (
    <Row
      name={visibleName(relativePath ?? name)}
      sizeBytes={sizeBytes}
      state="added"
      onToggle={() => onTakeOut(entry)}
      onEdit={isEditable({ name, type: file.type, sizeBytes }) ? () => onEdit(entry) : null}
      onDetails={null}
      {...others}
    />
  )
})

interface SharedRowProps extends RowPlace, Words {
  file: SharedFile
  /** What takes its place. */
  edited: FileEntry | undefined
  isRemoved: boolean
  onToggle: (file: SharedFile) => void
  onUndoEdit: (file: SharedFile) => void
  onEdit: (file: SharedFile) => void
  onDetails: (file: SharedFile) => void
}

const SharedRow = memo(function SharedRow(props: SharedRowProps) {
  const { file, edited, isRemoved, onToggle, onUndoEdit, onEdit, onDetails, ...others } = props
  const { name } = file
  const sizeBytes = edited?.sizeBytes ?? Number(file.size)
  return (
    <Row
      name={visibleName(name)}
      sizeBytes={sizeBytes}
      state={isRemoved ? 'removed' : edited ? 'edited' : 'kept'}
      onToggle={() => (edited ? onUndoEdit(file) : onToggle(file))}
      onEdit={!isRemoved && isEditable({ name, sizeBytes }) ? () => onEdit(file) : null}
      onDetails={edited ? null : () => onDetails(file)}
      {...others}
    />
  )
})

const marks = { kept: null, removed: null, added: 'edit.new', edited: 'edit.edited' } as const

const toggles = {
  kept: 'edit.deleteFile',
  removed: 'edit.undoDelete',
  added: 'edit.deleteFile',
  edited: 'edit.undoEdit',
} as const

interface RowProps extends RowPlace, Words {
  name: string
  sizeBytes: number
  state: keyof typeof marks
  /** Deletes the file, or undoes what was done to it. */
  onToggle: () => void
  /** Null for what is no text. */
  onEdit: (() => void) | null
  /** Null for what the server does not have yet. */
  onDetails: (() => void) | null
}

function Row(props: RowProps) {
  const { name, sizeBytes, state, onToggle, onEdit, onDetails, t, format, ...place } = props
  const mark = marks[state]
  const isUndo = state === 'removed' || state === 'edited'
  return (
    <tr data-state={state} {...place}>
      <td className={classes.name}>
        <bdi>{state === 'removed' ? <del>{name}</del> : name}</bdi>
        {mark && <span className={classes.mark}>{t(mark)}</span>}
      </td>
      <td className={classes.size}>{format.size(sizeBytes)}</td>
      <td className={classes.action}>
        {onDetails && (
          <RowButton icon="details" label={t('share.file.details', { name })} onClick={onDetails} />
        )}
        {onEdit && (
          <RowButton icon="edit" label={t('upload.text.edit', { name })} onClick={onEdit} />
        )}
        <RowButton
          icon={isUndo ? 'restore' : 'remove'}
          label={t(toggles[state], { name })}
          isAccented={isUndo}
          onClick={onToggle}
        />
      </td>
    </tr>
  )
}
