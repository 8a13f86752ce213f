import { ActionIcon, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../clipboard.ts'
import classes from './CopyField.module.css'

const SHOW_COPIED_MS = 2000

/** A read-only text with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)

  async function copy() {
    if (!(await copyText(value))) return
    setCopied(true)
    setTimeout(() => setCopied(false), SHOW_COPIED_MS)
  }

  return (
    <>
      <TextInput
        label={label}
        value={value}
        readOnly
        classNames={{ input: classes.input }}
        onFocus={(event) => event.currentTarget.select()}
        rightSectionWidth={44}
        rightSection={
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={copied ? t('common.copied') : t('common.copyLink')}
            title={copied ? t('common.copied') : t('common.copyLink')}
            onClick={() => void copy()}
          >
            {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
          </ActionIcon>
        }
      />
      <span aria-live="polite" className={classes.announcement}>
        {copied ? t('common.copied') : ''}
      </span>
    </>
  )
}
