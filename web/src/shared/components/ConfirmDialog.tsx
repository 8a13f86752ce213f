import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog.tsx'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  text: ReactNode
  action: string
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, text, action, isBusy = false, onConfirm, onClose } = props
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Text size="sm" component="div">
        {text}
      </Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button color="red" loading={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Dialog>
  )
}
