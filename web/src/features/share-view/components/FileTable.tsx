import { UnstyledButton } from '@mantine/core'
import type { ShareView } from '@floe/contracts'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../shared/clipboard.ts'
import type { RowPlace } from '../../../shared/components/VirtualRows.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { lazyPart } from '../../../shared/lazy-part.ts'
import { notifySuccess } from '../../../shared/notify.ts'
import { apiPaths } from '../../../shared/paths.ts'
import { type FileLeaf, type Folder, type Sorting, sortItems } from '../file-tree.ts'
import type { Choice } from '../use-choice.ts'
import { ComingRow } from './ComingRow.tsx'
import { FileRow } from './FileRow.tsx'
import classes from './FileTable.module.css'
import { FolderRow } from './FolderRow.tsx'

const PreviewDialog = lazyPart(
  () => import('./PreviewDialog.tsx'),
  ({ PreviewDialog }) => PreviewDialog,
)
const FileLinkDialog = lazyPart(
  () => import('./FileLinkDialog.tsx'),
  ({ FileLinkDialog }) => FileLinkDialog,
)
const FileDetailsDialog = lazyPart(
  () => import('../../../shared/share/FileDetailsDialog.tsx'),
  ({ FileDetailsDialog }) => FileDetailsDialog,
)

// Most folders are short.
const VirtualRows = lazyPart(
  () => import('../../../shared/components/VirtualRows.tsx'),
  ({ VirtualRows }) => VirtualRows<Item>,
)

/** From more rows on only those near the window are in the document. */
const SHORT_LIST = 100
const ROW_PX = 45

type Item = FileLeaf | Folder

const keyOf = (item: Item) => ('id' in item ? item.id : `folder ${item.path}`)

interface FileTableProps {
  share: ShareView
  folder: Folder
  onOpenFolder: (path: string) => void
  choice: Choice
  /** Without the heads of its columns, which order nothing. */
  isBare?: boolean
}

type OpenDialog = { kind: 'preview' | 'details'; file: FileLeaf } | { kind: 'link'; link: string }

/** The files and folders of one folder. */
export function FileTable(props: FileTableProps) {
  const { share, folder, onOpenFolder, choice, isBare } = props
  const { t } = useTranslation()
  const format = useFormat()
  const [sorting, setSorting] = useState<Sorting>({ by: 'name', descending: false })
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { files, items } = useSorted(folder, sorting)
  const actions = useFileActions(share, setDialog)

  const rowOf = (item: Item, place?: RowPlace) =>
    'id' in item && item.received !== null ? (
      <ComingRow key={item.id} file={item} {...place} />
    ) : 'id' in item ? (
      <FileRow
        key={item.id}
        file={item}
        share={share}
        isChosen={choice.chosen?.has(item.id) ?? null}
        onToggle={choice.toggle}
        {...actions}
        t={t}
        format={format}
        {...place}
      />
    ) : (
      <FolderRow
        key={item.path}
        shareId={share.id}
        folder={item}
        isComplete={!share.coming}
        onOpen={() => onOpenFolder(item.path)}
        {...place}
      />
    )
  const firstRows = <tbody>{items.slice(0, SHORT_LIST).map((item) => rowOf(item))}</tbody>

  return (
    <>
      <table
        className={classes.table}
        aria-rowcount={items.length + 1}
        data-choosing={choice.chosen !== null || undefined}
        data-pictures={files.some(({ thumbnail }) => thumbnail) || undefined}
      >
        {!isBare && <TableHead sorting={sorting} onSort={setSorting} />}
        {items.length > SHORT_LIST ? (
          <Suspense fallback={firstRows}>
            <VirtualRows as="tbody" rows={items} keyOf={keyOf} estimatePx={ROW_PX}>
              {rowOf}
            </VirtualRows>
          </Suspense>
        ) : (
          firstRows
        )}
      </table>
      <Suspense>
        {dialog?.kind === 'preview' && (
          <PreviewDialog
            share={share}
            files={files.filter(({ received }) => received === null)}
            file={dialog.file}
            onFile={actions.onPreview}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog?.kind === 'details' && (
          <FileDetailsDialog file={dialog.file} onClose={() => setDialog(null)} />
        )}
        {dialog?.kind === 'link' && (
          <FileLinkDialog link={dialog.link} onClose={() => setDialog(null)} />
        )}
      </Suspense>
    </>
  )
}

function useSorted(folder: Folder, sorting: Sorting) {
  const { i18n } = useTranslation()
  const { language } = i18n
  return useMemo(() => {
    const files = sortItems(folder.files, sorting, language)
    const folders = sortItems(folder.folders.values(), sorting, language)
    return { files, items: [...folders, ...files] satisfies Item[] }
  }, [folder, sorting, language])
}

/** The same functions at every rendering, for rows that are remembered. */
function useFileActions(share: ShareView, open: (dialog: OpenDialog) => void) {
  const { t } = useTranslation()
  return useMemo(
    () => ({
      onPreview: (file: FileLeaf) => open({ kind: 'preview', file }),
      onDetails: (file: FileLeaf) => open({ kind: 'details', file }),
      async onCopyLink({ id }: FileLeaf) {
        const link = window.location.origin + apiPaths.file(share.id, id)
        if (await copyText(link)) notifySuccess(t('share.file.linkCopied'))
        else open({ kind: 'link', link })
      },
    }),
    [share.id, open, t],
  )
}

interface TableHeadProps {
  sorting: Sorting
  onSort: (sorting: Sorting) => void
}

function TableHead(head: TableHeadProps) {
  const { t } = useTranslation()
  return (
    <thead>
      <tr aria-rowindex={1}>
        <SortHeader by="name" label={t('share.file.name')} {...head} />
        <SortHeader by="size" label={t('share.file.size')} {...head} />
        <td className={classes.actions} />
      </tr>
    </thead>
  )
}

interface SortHeaderProps extends TableHeadProps {
  by: Sorting['by']
  label: string
}

function SortHeader({ by, label, sorting, onSort }: SortHeaderProps) {
  const isSorted = sorting.by === by
  const Icon = sorting.descending ? IconChevronDown : IconChevronUp
  return (
    <th
      scope="col"
      data-column={by}
      aria-sort={isSorted ? (sorting.descending ? 'descending' : 'ascending') : 'none'}
    >
      <UnstyledButton
        className={classes.sort ?? ''}
        onClick={() => onSort({ by, descending: isSorted && !sorting.descending })}
      >
        {label}
        {isSorted && <Icon size={15} aria-hidden="true" />}
      </UnstyledButton>
    </th>
  )
}
