import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './CopyField.module.css'
import { useCopy } from './use-copy.ts'

interface CopyButtonProps {
  label: string
  text: string
}

interface SmallCopyButtonProps extends CopyButtonProps {
  /** Its label stands on it. */
  isWide?: boolean
}

/** Copies a text and says that it did, to eyes and to ears. */
export function CopyButton({ label, text, isWide = false }: SmallCopyButtonProps) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy(text)
  const name = copied ? t('common.copied') : label
  const icon = copied ? <IconCheck size={18} /> : <IconCopy size={18} />
  return (
    <>
      {isWide ? (
        <Button variant="light" leftSection={icon} onClick={() => void copy()}>
          {name}
        </Button>
      ) : (
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={name}
          title={name}
          onClick={() => void copy()}
        >
          {icon}
        </ActionIcon>
      )}
      <Announcement copied={copied} />
    </>
  )
}

/** The same where copying is what a dialog is for. */
export function LargeCopyButton({ label, text }: CopyButtonProps) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy(text)
  return (
    <>
      <Button
        size="lg"
        fullWidth
        data-autofocus
        leftSection={copied ? <IconCheck size={20} /> : <IconCopy size={20} />}
        onClick={() => void copy()}
      >
        {copied ? t('common.copied') : label}
      </Button>
      <Announcement copied={copied} />
    </>
  )
}

function Announcement({ copied }: { copied: boolean }) {
  const { t } = useTranslation()
  return (
    <span aria-live="polite" className={classes.announcement}>
      {copied ? t('common.copied') : ''}
    </span>
  )
}
