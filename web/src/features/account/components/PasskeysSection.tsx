import { Button, Text } from '@mantine/core'
import type { Passkey, UserView } from '@floe/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { hasPasskeysHere, isCancelled } from '../../../shared/passkeys/passkeys-here.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { useDevice } from '../../../shared/use-device.ts'
import { createRecoveryCodes } from '../api/create-recovery-codes.ts'
import { beginPasskeyOf, removePasskeyOf, renamePasskeyTo, savePasskey } from '../api/passkeys.ts'
import type { Confirmation } from '../confirmation.ts'
import { PasskeyDialog } from './PasskeyDialog.tsx'
import { PasskeyList } from './PasskeyList.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { Section } from './Section.tsx'

type Stage =
  | { name: 'idle' | 'adding' | 'renewing' }
  | { name: 'renaming' | 'removing'; passkey: Passkey }
  | { name: 'codes'; codes: readonly string[] }

/** Keys of devices by which somebody signs in without a password. */
export function PasskeysSection({ user }: { user: UserView }) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const [stage, setStage] = useState<Stage>({ name: 'idle' })
  const isHere = hasPasskeysHere(settings)
  const close = () => setStage({ name: 'idle' })
  const dialog = { hasPassword: user.hasPassword !== false, onClose: close }
  return (
    <Section title={t('account.passkeys.title')} hint={t('account.passkeys.hint')}>
      <PasskeyList
        onRename={(passkey) => setStage({ name: 'renaming', passkey })}
        onRemove={(passkey) => setStage({ name: 'removing', passkey })}
        onRenewCodes={user.totpVerified ? undefined : () => setStage({ name: 'renewing' })}
      />
      {isHere ? (
        <Button
          variant="default"
          mt="lg"
          leftSection={<IconPlus size={17} />}
          onClick={() => setStage({ name: 'adding' })}
        >
          {t('account.passkeys.add')}
        </Button>
      ) : (
        <Text size="sm" c="dimmed" mt="md">
          {t('account.passkeys.elsewhere')}
        </Text>
      )}
      {stage.name === 'adding' && (
        <AddDialog {...dialog} onCodes={(codes) => setStage({ name: 'codes', codes })} />
      )}
      {stage.name === 'renaming' && <RenameDialog passkey={stage.passkey} onClose={close} />}
      {stage.name === 'removing' && <RemoveDialog {...dialog} passkey={stage.passkey} />}
      {stage.name === 'renewing' && (
        <RenewDialog {...dialog} onCodes={(codes) => setStage({ name: 'codes', codes })} />
      )}
      {stage.name === 'codes' && (
        <RecoveryCodesDialog username={user.username} codes={stage.codes} onClose={close} />
      )}
    </Section>
  )
}

function useRefresh() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: queryKeys.passkeys })
}

interface AddDialogProps {
  hasPassword: boolean
  onCodes: (codes: string[]) => void
  onClose: () => void
}

function AddDialog({ hasPassword, onCodes, onClose }: AddDialogProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const { user, changeUser } = useSession()
  const refresh = useRefresh()
  const { name } = useDevice(navigator.userAgent)

  async function add(input: { name: string; confirmation: Confirmation }) {
    const options = await beginPasskeyOf(http, input.confirmation)
    const { startRegistration } = await import('@simplewebauthn/browser')
    type Asked = Parameters<typeof startRegistration>[0]['optionsJSON']
    try {
      const passkey = await startRegistration({ optionsJSON: options as unknown as Asked })
      const codes = await savePasskey(http, { name: input.name, passkey })
      if (user) changeUser({ ...user, mustSetUpSecondFactor: undefined })
      await refresh()
      if (codes) onCodes(codes)
      else onClose()
    } catch (error) {
      if (!isCancelled(error)) throw error
    }
  }

  return (
    <PasskeyDialog
      title={t('account.passkeys.add')}
      action={t('account.passkeys.add')}
      name={name}
      asksPassword={hasPassword}
      change={add}
      onClose={onClose}
    />
  )
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation()
  const http = useHttp()
  const refresh = useRefresh()
  return (
    <PasskeyDialog
      title={t('account.passkeys.renameNamed', { name: passkey.name })}
      action={t('common.save')}
      name={passkey.name}
      asksPassword={false}
      change={async ({ name }) => {
        await renamePasskeyTo(http, passkey.id, name)
        await refresh()
        onClose()
      }}
      onClose={onClose}
    />
  )
}

function RenewDialog({ hasPassword, onCodes, onClose }: AddDialogProps) {
  const { t } = useTranslation()
  const http = useHttp()
  return (
    <PasskeyDialog
      title={t('account.totp.newCodes')}
      text={t('account.totp.newCodesText')}
      action={t('account.totp.newCodesSubmit')}
      asksPassword={hasPassword}
      change={async ({ confirmation }) => onCodes(await createRecoveryCodes(http, confirmation))}
      onClose={onClose}
    />
  )
}

interface RemoveDialogProps {
  hasPassword: boolean
  passkey: Passkey
  onClose: () => void
}

function RemoveDialog({ hasPassword, passkey, onClose }: RemoveDialogProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const refresh = useRefresh()
  return (
    <PasskeyDialog
      title={t('account.passkeys.removeNamed', { name: passkey.name })}
      text={t('account.passkeys.removeText')}
      action={t('account.passkeys.remove')}
      color="red"
      asksPassword={hasPassword}
      change={async ({ confirmation }) => {
        await removePasskeyOf(http, passkey.id, confirmation)
        await refresh()
        onClose()
      }}
      onClose={onClose}
    />
  )
}
