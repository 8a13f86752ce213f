import { Button, Group, Portal } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/core/styles/LoadingOverlay.layer.css'
import '@mantine/dropzone/styles.layer.css'
import { IconCamera, IconFile, IconFolder, IconPencil } from '@tabler/icons-react'
import { type ChangeEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { DropInvitation } from './DropInvitation.tsx'
import classes from './FileDrop.module.css'
import { type FileEntry, toEntry } from './file-entry.ts'
import { readPaste } from './pasted.ts'
import { useStrayDrops, useWindowDrop } from './use-window-drop.ts'

interface FileDropProps {
  title: string
  hint: string
  compact?: boolean
  onFiles: (entries: FileEntry[]) => void
  /** Takes a text that was pasted, or an empty one that somebody wants to write. */
  onText?: (text: string) => void
}

const takesText = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])'

function usePaste(onFiles: FileDropProps['onFiles'], onText: FileDropProps['onText']) {
  useEffect(() => {
    const paste = ({ clipboardData, target }: ClipboardEvent) => {
      // A dialog in front of this asks about something else.
      if (!clipboardData || document.querySelector('[role="dialog"]')) return
      const isTyping = target instanceof Element && target.closest(takesText) !== null
      const text = isTyping ? '' : clipboardData.getData('text/plain')
      const found = readPaste({ files: [...clipboardData.files], text }, new Date())
      if (found && 'files' in found) onFiles(found.files.map(toEntry))
      else if (found) onText?.(found.text)
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [onFiles, onText])
}

const canPickFolders = 'webkitdirectory' in HTMLInputElement.prototype

/** Takes files and folders: dropped anywhere in the window, picked, photographed or pasted. */
export function FileDrop({ title, hint, compact = false, onFiles, onText }: FileDropProps) {
  const { t } = useTranslation()
  const openFiles = useRef<() => void>(null)
  const zone = useRef<HTMLDivElement>(null)
  const isDraggedOver = useWindowDrop(zone)
  useStrayDrops()
  usePaste(onFiles, onText)

  return (
    <div className={classes.drop} data-compact={compact || undefined}>
      <Dropzone
        className={classes.zone}
        openRef={openFiles}
        onDrop={(files) => onFiles(files.map(toEntry))}
        activateOnClick={false}
        enablePointerEvents
        tabIndex={-1}
        inputProps={{ 'aria-label': t('upload.drop.input'), hidden: true }}
        useFsAccessApi={false}
      >
        <div ref={zone} className={classes.content}>
          <DropInvitation title={title} hint={hint} compact={compact} />
          <Group gap="sm" justify="center" mt="xs" className={classes.buttons}>
            <Button
              variant={compact ? 'default' : 'filled'}
              leftSection={<IconFile size={18} />}
              aria-keyshortcuts="u"
              onClick={() => openFiles.current?.()}
            >
              {t('upload.drop.chooseFiles')}
            </Button>
            {canPickFolders && <FolderButton onFiles={onFiles} />}
            <CameraButton onFiles={onFiles} />
            {onText && (
              <Button
                variant="default"
                leftSection={<IconPencil size={18} />}
                onClick={() => onText('')}
              >
                {t('upload.drop.writeText')}
              </Button>
            )}
          </Group>
        </div>
      </Dropzone>
      {isDraggedOver && (
        <Portal>
          <div className={classes.overlay}>
            <p role="status" className={classes.overlayText}>
              {title}
            </p>
          </div>
        </Portal>
      )}
    </div>
  )
}

type PickerProps = Pick<FileDropProps, 'onFiles'>

function takeFrom(event: ChangeEvent<HTMLInputElement>, onFiles: FileDropProps['onFiles']) {
  onFiles([...(event.currentTarget.files ?? [])].map(toEntry))
  event.currentTarget.value = ''
}

function FolderButton({ onFiles }: PickerProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFolder size={18} />}
        onClick={() => input.current?.click()}
      >
        {t('upload.drop.chooseFolder')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={t('upload.drop.folderInput')}
        {...{ webkitdirectory: '' }}
        onChange={(event) => takeFrom(event, onFiles)}
      />
    </>
  )
}

function CameraButton({ onFiles }: PickerProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        className={classes.camera ?? ''}
        variant="default"
        leftSection={<IconCamera size={18} />}
        onClick={() => input.current?.click()}
      >
        {t('upload.drop.takePhoto')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        onChange={(event) => takeFrom(event, onFiles)}
      />
    </>
  )
}
