import { Button, Group, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/core/styles/LoadingOverlay.layer.css'
import '@mantine/dropzone/styles.layer.css'
import { IconFile, IconFolder } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FloeArt } from '../components/FloeArt.tsx'
import classes from './FileDrop.module.css'
import { type FileEntry, toEntry } from './file-entry.ts'

interface FileDropProps {
  title: string
  hint: string
  compact?: boolean
  onFiles: (entries: FileEntry[]) => void
}

function usePastedFiles(onFiles: FileDropProps['onFiles']) {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0) onFiles(files.map(toEntry))
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [onFiles])
}

/** Takes files and folders: dropped, picked or pasted. */
export function FileDrop({ title, hint, compact = false, onFiles }: FileDropProps) {
  const { t } = useTranslation()
  const openFiles = useRef<() => void>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  usePastedFiles(onFiles)

  return (
    <div className={classes.drop} data-compact={compact || undefined}>
      <Dropzone
        className={classes.zone}
        openRef={openFiles}
        onDrop={(files) => onFiles(files.map(toEntry))}
        activateOnClick={false}
        enablePointerEvents
        tabIndex={-1}
        inputProps={{ 'aria-label': t('upload.drop.input') }}
        useFsAccessApi={false}
      >
        <div className={classes.content}>
          {!compact && <FloeArt className={classes.art} />}
          <Text component="h2" className={classes.title}>
            {title}
          </Text>
          <Text c="dimmed" size="sm" maw={420}>
            {hint}
          </Text>
          <Group gap="sm" justify="center" mt="xs">
            <Button leftSection={<IconFile size={18} />} onClick={() => openFiles.current?.()}>
              {t('upload.drop.chooseFiles')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconFolder size={18} />}
              onClick={() => folderInput.current?.click()}
            >
              {t('upload.drop.chooseFolder')}
            </Button>
          </Group>
        </div>
      </Dropzone>
      <input
        ref={folderInput}
        type="file"
        hidden
        multiple
        aria-label={t('upload.drop.folderInput')}
        {...{ webkitdirectory: '' }}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])].map(toEntry))
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
