import type { Webhook, WebhookDelivery, WebhookScope } from '@floe/contracts'
import { DeleteWebhookDialog } from './DeleteWebhookDialog.tsx'
import { RotateSecretDialog } from './RotateSecretDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { WebhookFormDialog } from './WebhookFormDialog.tsx'
import { WebhookLogDialog } from './WebhookLogDialog.tsx'

export type OpenDialog =
  | { kind: 'create'; scope: WebhookScope }
  | { kind: 'edit' | 'rotate' | 'delete'; webhook: Webhook }
  | { kind: 'secret'; secret: string }
  /** With the message that is looked at first. */
  | { kind: 'log'; webhook: Webhook; delivery: WebhookDelivery | null }

interface WebhookDialogsProps {
  dialog: OpenDialog
  onOpen: (dialog: OpenDialog) => void
  onClose: () => void
}

/** All that is done with webhooks, one dialog at a time. */
export function WebhookDialogs({ dialog, onOpen, onClose }: WebhookDialogsProps) {
  const showSecret = (secret: string) => onOpen({ kind: 'secret', secret })
  switch (dialog.kind) {
    case 'create':
      return (
        <WebhookFormDialog
          webhook={null}
          scope={dialog.scope}
          onSecret={showSecret}
          onClose={onClose}
        />
      )
    case 'edit':
      return (
        <WebhookFormDialog
          webhook={dialog.webhook}
          scope={dialog.webhook.scope}
          onSecret={showSecret}
          onRotate={() => onOpen({ kind: 'rotate', webhook: dialog.webhook })}
          onClose={onClose}
        />
      )
    case 'rotate':
      return <RotateSecretDialog webhook={dialog.webhook} onSecret={showSecret} onClose={onClose} />
    case 'secret':
      return <SecretDialog secret={dialog.secret} onClose={onClose} />
    case 'delete':
      return <DeleteWebhookDialog webhook={dialog.webhook} onClose={onClose} />
    case 'log':
      return <WebhookLogDialog webhook={dialog.webhook} first={dialog.delivery} onClose={onClose} />
  }
}
