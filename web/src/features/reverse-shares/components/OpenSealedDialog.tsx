import type { Receiver, ReceivedShare } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { useEnterSealed } from '../use-open-sealed.ts'
import { UnlockForm } from './UnlockForm.tsx'

interface OpenSealedDialogProps {
  receiver: Receiver
  share: ReceivedShare
  onClose: () => void
}

/** Asks for what opens a share that was encrypted for its receiver. */
export function OpenSealedDialog({ receiver, share, onClose }: OpenSealedDialogProps) {
  const { t } = useTranslation()
  const enter = useEnterSealed()
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('reverseShares.sealed.openTitle', { name: share.name ?? share.id })}
    >
      <UnlockForm
        receiver={receiver}
        text={t('reverseShares.sealed.openText')}
        onUnlocked={(secret) => {
          onClose()
          void enter(share, secret)
        }}
      />
    </Dialog>
  )
}
