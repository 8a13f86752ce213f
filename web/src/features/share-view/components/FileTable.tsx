import { ActionIcon, UnstyledButton } from '@mantine/core'
import { previewKindOf, type ShareView } from '@floe/contracts'
import {
  IconChevronDown,
  IconChevronUp,
  IconDownload,
  IconEye,
  IconFolder,
  IconInfoCircle,
  IconLink,
} from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { lazy, memo, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../shared/clipboard.ts'
import type { RowPlace } from '../../../shared/components/VirtualRows.tsx'
import { type Format, useFormat } from '../../../shared/format/use-format.ts'
import { notifySuccess } from '../../../shared/notify.ts'
import { apiPaths } from '../../../shared/paths.ts'
import { type FileLeaf, type Folder, type Sorting, sortItems } from '../file-tree.ts'
import { FileIcon } from './FileIcon.tsx'
import classes from './FileTable.module.css'

const PreviewDialog = lazy(() =>
  import('./PreviewDialog.tsx').then(({ PreviewDialog }) => ({ default: PreviewDialog })),
)
const FileLinkDialog = lazy(() =>
  import('./FileLinkDialog.tsx').then(({ FileLinkDialog }) => ({ default: FileLinkDialog })),
)
const FileDetailsDialog = lazy(() =>
  import('../../../shared/share/FileDetailsDialog.tsx').then(({ FileDetailsDialog }) => ({
    default: FileDetailsDialog,
  })),
)

// Most folders are short.
const VirtualRows = lazy(() =>
  import('../../../shared/components/VirtualRows.tsx').then(({ VirtualRows }) => ({
    default: VirtualRows<Item>,
  })),
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
}

type OpenDialog = { kind: 'preview' | 'details'; file: FileLeaf } | { kind: 'link'; link: string }

/** The files and folders of one folder. */
export function FileTable({ share, folder, onOpenFolder }: FileTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [sorting, setSorting] = useState<Sorting>({ by: 'name', descending: false })
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { files, items } = useSorted(folder, sorting)
  const actions = useFileActions(share, setDialog)

  const rowOf = (item: Item, place?: RowPlace) =>
    'id' in item ? (
      <FileRow
        key={item.id}
        file={item}
        share={share}
        {...actions}
        t={t}
        format={format}
        {...place}
      />
    ) : (
      <FolderRow key={item.path} folder={item} onOpen={() => onOpenFolder(item.path)} {...place} />
    )
  const firstRows = <tbody>{items.slice(0, SHORT_LIST).map((item) => rowOf(item))}</tbody>
  const head = { sorting, onSort: setSorting }

  return (
    <>
      <table
        className={classes.table}
        aria-rowcount={items.length + 1}
        data-pictures={files.some(({ thumbnail }) => thumbnail) || undefined}
      >
        <thead>
          <tr aria-rowindex={1}>
            <SortHeader by="name" label={t('share.file.name')} {...head} />
            <SortHeader by="size" label={t('share.file.size')} {...head} />
            <td className={classes.actions} />
          </tr>
        </thead>
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
            files={files}
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

interface SortHeaderProps {
  by: Sorting['by']
  label: string
  sorting: Sorting
  onSort: (sorting: Sorting) => void
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

interface FolderRowProps extends Partial<RowPlace> {
  folder: Folder
  onOpen: () => void
}

function FolderRow({ folder, onOpen, ...place }: FolderRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <tr {...place}>
      <td className={classes.name}>
        <UnstyledButton
          className={classes.open ?? ''}
          onClick={onOpen}
          aria-label={t('share.folders.open', { name: folder.name })}
        >
          <IconFolder className={classes.folder} size={20} aria-hidden="true" />
          <bdi>{folder.name}</bdi>
        </UnstyledButton>
      </td>
      <td className={classes.size}>{format.size(folder.sizeBytes)}</td>
      <td className={classes.actions}>
        <span className={classes.count}>
          {t('share.folders.count', { count: folder.fileCount })}
        </span>
      </td>
    </tr>
  )
}

interface FileRowProps extends Partial<RowPlace> {
  file: FileLeaf
  share: ShareView
  onPreview: (file: FileLeaf) => void
  onCopyLink: (file: FileLeaf) => Promise<void>
  onDetails: (file: FileLeaf) => void
  t: TFunction
  format: Format
}

/** Remembered: scrolling draws the rows around it. */
const FileRow = memo(function FileRow({
  file,
  share,
  onPreview,
  onCopyLink,
  onDetails,
  t,
  format,
  ...place
}: FileRowProps) {
  const { name } = file
  const labels = {
    preview: t('share.file.preview', { name }),
    copy: t('share.file.copyLink', { name }),
    details: t('share.file.details', { name }),
    download: t('share.file.download', { name }),
  }
  return (
    <tr {...place}>
      <td className={classes.name}>
        <UnstyledButton className={classes.open ?? ''} onClick={() => onPreview(file)} title={name}>
          <FileIcon shareId={share.id} file={file} />
          <bdi>{name}</bdi>
        </UnstyledButton>
      </td>
      <td className={classes.size}>{format.size(file.sizeBytes)}</td>
      <td className={classes.actions}>
        <div className={classes.buttons}>
          {previewKindOf(name) !== null && (
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label={labels.preview}
              title={labels.preview}
              onClick={() => onPreview(file)}
            >
              <IconEye size={18} />
            </ActionIcon>
          )}
          {!share.hasPassword && (
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label={labels.copy}
              title={labels.copy}
              onClick={() => void onCopyLink(file)}
            >
              <IconLink size={18} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={labels.details}
            title={labels.details}
            onClick={() => onDetails(file)}
          >
            <IconInfoCircle size={18} />
          </ActionIcon>
          <ActionIcon
            component="a"
            href={apiPaths.file(share.id, file.id)}
            download
            variant="light"
            size="lg"
            aria-label={labels.download}
            title={labels.download}
          >
            <IconDownload size={18} />
          </ActionIcon>
        </div>
      </td>
    </tr>
  )
})
