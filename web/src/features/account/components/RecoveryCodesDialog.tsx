import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../shared/clipboard.ts'
import { OnceDialog } from '../../../shared/leave/OnceDialog.tsx'
import { saveText } from '../../../shared/save.ts'
import { useSession } from '../../../shared/session/session.ts'
import { recoveryFile, recoveryFileName } from '../secret-text.ts'
import classes from './RecoveryCodesDialog.module.css'

interface RecoveryCodesDialogProps {
  username: string
  codes: readonly string[]
  onClose: () => void
}

/** Shows new recovery codes, this once. Only saying so closes it. */
export function RecoveryCodesDialog({ username, codes, onClose }: RecoveryCodesDialogProps) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const [copied, setCopied] = useState(false)
  const appName = settings['general.appName']

  async function copy() {
    setCopied(await copyText(codes.join('\n')))
  }

  function download() {
    const text = recoveryFile(t('account.recovery.file', { appName, username }), codes)
    saveText({ name: recoveryFileName(appName), content: text })
  }

  return (
    <OnceDialog
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      title={t('account.recovery.title')}
      warning={t('account.recovery.text')}
    >
      <Stack gap="md">
        <Text size="sm">{t('account.recovery.text')}</Text>
        <ul className={classes.codes} aria-label={t('account.recovery.list')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group grow preventGrowOverflow={false} gap="sm">
          <Button
            variant="default"
            leftSection={copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
            onClick={() => void copy()}
          >
            {copied ? t('common.copied') : t('account.recovery.copy')}
          </Button>
          <Button variant="default" leftSection={<IconDownload size={18} />} onClick={download}>
            {t('account.recovery.download')}
          </Button>
        </Group>
        <Button onClick={onClose}>{t('account.recovery.saved')}</Button>
      </Stack>
    </OnceDialog>
  )
}
