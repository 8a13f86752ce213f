import type { ApiToken, UserView } from '@floe/contracts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { RevokeTokenDialog } from '../../../shared/tokens/RevokeTokenDialog.tsx'
import { TokenList } from '../../../shared/tokens/TokenList.tsx'

/** What acts for a user by a token, with a way to end it. */
export function UserTokensDialog({ user, onClose }: { user: UserView; onClose: () => void }) {
  const { t } = useTranslation()
  const [revoking, setRevoking] = useState<ApiToken | null>(null)
  const title = t('admin.users.tokens', { name: user.username })
  if (revoking) {
    return <RevokeTokenDialog userId={user.id} token={revoking} onClose={() => setRevoking(null)} />
  }
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <TokenList userId={user.id} label={title} onRevoke={setRevoking} />
    </Dialog>
  )
}
