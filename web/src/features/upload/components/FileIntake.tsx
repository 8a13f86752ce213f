import { memo, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FileEntry, toEntry } from '../../../shared/upload/file-entry.ts'
import { FileDrop } from '../../../shared/upload/FileDrop.tsx'
import { WriteTextDialog } from '../lazy.ts'
import { useShared } from '../use-shared.ts'

interface FileIntakeProps {
  /** Stands where files are dropped. */
  hint: string
  /** Leaves space for the files that were chosen. */
  compact: boolean
  takenNames: () => string[]
  /** Not while the page is about to be another: what is written would be lost. */
  takesText?: boolean
  onFiles: (entries: FileEntry[]) => void
}

/** Everything through which files come: dropped, picked, pasted, written, shared by another app. */
export const FileIntake = memo(function FileIntake(props: FileIntakeProps) {
  const { hint, compact, takenNames, takesText = true, onFiles } = props
  const { t } = useTranslation()
  const [text, setText] = useState<string | null>(null)
  useShared({ onFiles, onText: setText })
  return (
    <>
      <FileDrop
        title={t('upload.drop.title')}
        hint={hint}
        compact={compact}
        onFiles={onFiles}
        {...(takesText && { onText: setText })}
      />
      <Suspense>
        {text !== null && (
          <WriteTextDialog
            text={text}
            takenNames={takenNames()}
            onClose={() => setText(null)}
            onFile={(file) => onFiles([toEntry(file)])}
          />
        )}
      </Suspense>
    </>
  )
})
