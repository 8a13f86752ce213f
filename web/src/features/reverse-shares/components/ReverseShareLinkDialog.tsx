import { Button, Group, Stack, Text } from '@mantine/core'
import type { Receiver } from '@floe/contracts'
import { linkToReceiver } from '@floe/encryption'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../shared/components/CopyField.tsx'
import { OnceDialog } from '../../../shared/leave/OnceDialog.tsx'
import { QrCode } from '../../../shared/components/QrCode.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { reverseShareLink } from '../../../shared/share-link.ts'
import { useSecret } from '../use-secrets.ts'
import { UnlockForm } from './UnlockForm.tsx'

export interface LinkOptions {
  /** The end of the link. */
  token: string
  /** To whom what is sent is encrypted. */
  receiver?: Receiver | undefined
  /** Of a receiver that was made just now. */
  recoveryCode?: string | null
}

/** The link to pass on, to copy or to scan. */
export function ReverseShareLinkDialog(props: LinkOptions & { onClose: () => void }) {
  const { token, receiver, recoveryCode = null, onClose } = props
  const { t } = useTranslation()
  const secret = useSecret(receiver?.publicKey)
  // A public key that the server has put there would look like the right one.
  const isLocked = receiver !== undefined && secret === null
  return (
    <OnceDialog
      onClose={onClose}
      title={t(isLocked ? 'reverseShares.sealed.linkTitle' : 'reverseShares.link.title')}
      warning={recoveryCode === null ? null : t('reverseShares.sealed.codeHint')}
    >
      {isLocked ? (
        <UnlockForm receiver={receiver} text={t('reverseShares.sealed.linkText')} />
      ) : (
        <Stack gap="md">
          {recoveryCode !== null && <RecoveryCode code={recoveryCode} />}
          <Link token={token} receiver={receiver} />
          <Button size="md" onClick={onClose}>
            {t('upload.completed.done')}
          </Button>
        </Stack>
      )}
    </OnceDialog>
  )
}

function Link({ token, receiver }: LinkOptions) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const plainLink = reverseShareLink({
    token,
    appUrl: settings['general.appUrl'],
    origin: window.location.origin,
  })
  const link = receiver ? linkToReceiver(plainLink, receiver.publicKey) : plainLink
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('reverseShares.link.hint')}
      </Text>
      <CopyField label={t('reverseShares.link.label')} value={link} />
      <Group justify="center">
        <QrCode text={link} label={t('reverseShares.link.qrCode')} />
      </Group>
    </>
  )
}

function RecoveryCode({ code }: { code: string }) {
  const { t } = useTranslation()
  return (
    <div>
      <CopyField
        label={t('reverseShares.sealed.code')}
        copyLabel={t('account.recovery.copy')}
        value={code}
      />
      <Text size="sm" fw={600} mt="xs">
        {t('reverseShares.sealed.codeHint')}
      </Text>
    </div>
  )
}
