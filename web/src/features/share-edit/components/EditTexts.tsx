import type { OwnShare, SharedFile } from '@floe/contracts'
import { Suspense } from 'react'
import { useHttp } from '../../../shared/api/http-context.ts'
import { lazyPart } from '../../../shared/lazy-part.ts'
import { toEditedFile, withContent } from '../../../shared/text-file/text-file.ts'
import { type FileEntry, toEntry } from '../../../shared/upload/file-entry.ts'
import { fetchFileContent } from '../api/file-content.ts'
import type { EditedFiles } from '../use-edit-files.ts'

const WriteTextDialog = lazyPart(
  () => import('../../../shared/text-file/WriteTextDialog.tsx'),
  ({ WriteTextDialog }) => WriteTextDialog,
)
const EditTextDialog = lazyPart(
  () => import('../../../shared/text-file/EditTextDialog.tsx'),
  ({ EditTextDialog }) => EditTextDialog,
)

/** A text to make a file of, a new file, or one of the share. */
export type OpenText = string | FileEntry | SharedFile

interface EditTextsProps {
  share: OwnShare
  files: EditedFiles
  open: OpenText | null
  onClose: () => void
}

/** The text that is written or edited, to be saved with the share. */
export function EditTexts({ share, files, open, onClose }: EditTextsProps) {
  const http = useHttp()

  const ofAdded = (entry: FileEntry) => ({
    file: toEditedFile(entry),
    onContent: (content: string) => files.editAdded(entry, withContent(entry, content)),
  })

  function ofShare(file: SharedFile) {
    const { id, name } = file
    const edited = files.edited.get(id)
    return {
      file: edited
        ? toEditedFile(edited)
        : { key: id, name, load: () => fetchFileContent(http, share.id, id) },
      onContent: (content: string) => files.edit(file, withContent(namesOf(name), content)),
    }
  }

  if (open === null) return null
  return (
    <Suspense>
      {typeof open === 'string' ? (
        <WriteTextDialog
          text={open}
          takenNames={files.takenNames()}
          onFile={(file) => files.append([toEntry(file)])}
          onClose={onClose}
        />
      ) : (
        <EditTextDialog {...('key' in open ? ofAdded(open) : ofShare(open))} onClose={onClose} />
      )}
    </Suspense>
  )
}

function namesOf(path: string): Pick<FileEntry, 'name' | 'relativePath'> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return { name, relativePath: name === path ? null : path }
}
