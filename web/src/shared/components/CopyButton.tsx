import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../clipboard.ts'
import classes from './CopyField.module.css'

const SHOW_COPIED_MS = 2000

/** Copies a text and says that it did, to eyes and to ears. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  const name = copied ? t('common.copied') : label

  async function copy() {
    if (!(await copyText(text))) return
    setCopied(true)
    setTimeout(() => setCopied(false), SHOW_COPIED_MS)
  }

  return (
    <>
      <ActionIcon
        variant="subtle"
        size="lg"
        aria-label={name}
        title={name}
        onClick={() => void copy()}
      >
        {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
      </ActionIcon>
      <span aria-live="polite" className={classes.announcement}>
        {copied ? t('common.copied') : ''}
      </span>
    </>
  )
}
