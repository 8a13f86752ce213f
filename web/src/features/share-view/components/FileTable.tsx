import { ActionIcon, Button, UnstyledButton } from '@mantine/core'
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
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../shared/clipboard.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
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

const ROWS_AT_ONCE = 200

interface FileTableProps {
  share: ShareView
  folder: Folder
  onOpenFolder: (path: string) => void
}

/** The files and folders of one folder. */
export function FileTable({ share, folder, onOpenFolder }: FileTableProps) {
  const { t, i18n } = useTranslation()
  const [sorting, setSorting] = useState<Sorting>({ by: 'name', descending: false })
  const [limit, setLimit] = useState(ROWS_AT_ONCE)
  const [preview, setPreview] = useState<FileLeaf | null>(null)
  const [detailed, setDetailed] = useState<FileLeaf | null>(null)
  const [linked, setLinked] = useState<string | null>(null)
  const folders = sortItems(folder.folders.values(), sorting, i18n.language)
  const files = sortItems(folder.files, sorting, i18n.language)
  const shownFiles = files.slice(0, limit)

  async function copyLink(fileId: string) {
    const link = window.location.origin + apiPaths.file(share.id, fileId)
    if (await copyText(link)) notifySuccess(t('share.file.linkCopied'))
    else setLinked(link)
  }

  return (
    <>
      <table
        className={classes.table}
        data-pictures={files.some(({ thumbnail }) => thumbnail) || undefined}
      >
        <thead>
          <tr>
            <SortHeader
              by="name"
              label={t('share.file.name')}
              sorting={sorting}
              onSort={setSorting}
            />
            <SortHeader
              by="size"
              label={t('share.file.size')}
              sorting={sorting}
              onSort={setSorting}
            />
            <td className={classes.actions} />
          </tr>
        </thead>
        <tbody>
          {folders.map((item) => (
            <FolderRow key={item.path} folder={item} onOpen={() => onOpenFolder(item.path)} />
          ))}
          {shownFiles.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              share={share}
              onPreview={() => setPreview(file)}
              onCopyLink={() => void copyLink(file.id)}
              onDetails={() => setDetailed(file)}
            />
          ))}
        </tbody>
      </table>
      {files.length > limit && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setLimit(limit + ROWS_AT_ONCE)}>
            {t('share.folders.more', { count: files.length - limit })}
          </Button>
        </div>
      )}
      <Suspense>
        {preview && (
          <PreviewDialog
            share={share}
            files={files}
            file={preview}
            onFile={setPreview}
            onClose={() => setPreview(null)}
          />
        )}
        {detailed && <FileDetailsDialog file={detailed} onClose={() => setDetailed(null)} />}
        {linked !== null && <FileLinkDialog link={linked} onClose={() => setLinked(null)} />}
      </Suspense>
    </>
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

function FolderRow({ folder, onOpen }: { folder: Folder; onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <tr>
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

interface FileRowProps {
  file: FileLeaf
  share: ShareView
  onPreview: () => void
  onCopyLink: () => void
  onDetails: () => void
}

function FileRow({ file, share, onPreview, onCopyLink, onDetails }: FileRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name } = file
  const labels = {
    preview: t('share.file.preview', { name }),
    copy: t('share.file.copyLink', { name }),
    details: t('share.file.details', { name }),
    download: t('share.file.download', { name }),
  }
  return (
    <tr>
      <td className={classes.name}>
        <UnstyledButton className={classes.open ?? ''} onClick={onPreview} title={name}>
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
              onClick={onPreview}
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
              onClick={onCopyLink}
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
            onClick={onDetails}
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
}
