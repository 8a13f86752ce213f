import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog.tsx'
import { DialogFoot } from './DialogFoot.tsx'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  text: ReactNode
  action: string
  /** Says what goes on without it, where Cancel would say either. */
  dismissal?: string
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, text, action, dismissal, isBusy = false, onConfirm, onClose } = props
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Text size="sm" component="div" mb="lg">
        {text}
      </Text>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {dismissal ?? t('common.cancel')}
        </Button>
        <Button color="red" loading={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
