import { ActionIcon, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { FileLeaf } from '../file-tree.ts'
import { stepOf } from '../preview-keys.ts'
import classes from './FileSteps.module.css'

interface FileStepsProps {
  files: readonly FileLeaf[]
  file: FileLeaf
  onFile: (file: FileLeaf) => void
}

/** The way to the file before and the one after, by button and by arrow key. */
export function FileSteps({ files, file, onFile }: FileStepsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const index = files.findIndex(({ id }) => id === file.id)
  const previous = files[index - 1]
  const next = files[index + 1]

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = stepOf(event, document.dir === 'rtl')
      const target = step === 'previous' ? previous : step === 'next' ? next : undefined
      if (target) onFile(target)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [previous, next, onFile])

  if (files.length < 2) return null
  return (
    <div className={classes.steps}>
      <StepButton label={t('share.preview.previous')} target={previous} onFile={onFile}>
        <IconChevronLeft size={18} />
      </StepButton>
      <Text size="sm" c="dimmed" className={classes.position ?? ''} role="status">
        {t('share.preview.position', {
          position: format.count(index + 1),
          total: format.count(files.length),
        })}
      </Text>
      <StepButton label={t('share.preview.next')} target={next} onFile={onFile}>
        <IconChevronRight size={18} />
      </StepButton>
    </div>
  )
}

interface StepButtonProps {
  label: string
  target: FileLeaf | undefined
  onFile: (file: FileLeaf) => void
  children: ReactNode
}

function StepButton({ label, target, onFile, children }: StepButtonProps) {
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      title={label}
      // A button that is disabled outright loses the focus when the last step is taken.
      aria-disabled={!target}
      {...(!target && { 'data-disabled': true })}
      onClick={() => target && onFile(target)}
    >
      {children}
    </ActionIcon>
  )
}
