import { Button, Group, Text } from '@mantine/core'
import type { TotpEnrolment, UserView } from '@floe/contracts'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { fetchOwnUser } from '../../../shared/api/fetch-own-user.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { useSession } from '../../../shared/session/session.ts'
import { createRecoveryCodes } from '../api/create-recovery-codes.ts'
import { disableTotp } from '../api/disable-totp.ts'
import type { Confirmation } from '../confirmation.ts'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { Section } from './Section.tsx'
import { TotpConfirmDialog } from './TotpConfirmDialog.tsx'
import { TotpEnableForm } from './TotpEnableForm.tsx'
import classes from './TotpSection.module.css'
import { TotpSetupDialog } from './TotpSetupDialog.tsx'

type Stage =
  | { name: 'idle' | 'disabling' | 'renewing' }
  | { name: 'setup'; enrolment: TotpEnrolment; confirmation: Confirmation }
  | { name: 'codes'; codes: readonly string[] }

/** The second factor: off with a way to set it up, or on with its recovery codes. */
export function TotpSection({ user }: { user: UserView }) {
  const { t } = useTranslation()
  const http = useHttp()
  const { changeUser } = useSession()
  const [stage, setStage] = useState<Stage>({ name: 'idle' })
  const hasPassword = user.hasPassword !== false
  const close = () => setStage({ name: 'idle' })
  const dialog = { hasPassword, onError: recheck, onClose: close }

  /** Another tab or device may have switched it meanwhile. */
  function recheck(error: Error) {
    if (!hasCode(error, 'totp_already_enabled', 'totp_not_enabled')) return
    fetchOwnUser(http).then(changeUser, () => undefined)
  }

  function finishSetup(codes: string[] | null) {
    changeUser({ ...user, totpVerified: true, mustSetUpSecondFactor: undefined })
    if (codes) {
      setStage({ name: 'codes', codes })
      return
    }
    close()
    notifyError(t('account.totp.withoutCodes'))
  }

  function finishDisabling() {
    changeUser({ ...user, totpVerified: false })
    close()
    notifySuccess(t('account.totp.disabled'))
  }

  return (
    <Section title={t('account.totp.title')} hint={t('account.totp.hint')}>
      {user.totpVerified ? (
        <TotpOn
          onRenew={() => setStage({ name: 'renewing' })}
          onDisable={() => setStage({ name: 'disabling' })}
        />
      ) : (
        <TotpEnableForm
          hasPassword={hasPassword}
          onBegun={(enrolment, confirmation) =>
            setStage({ name: 'setup', enrolment, confirmation })
          }
          onError={recheck}
        />
      )}
      {stage.name === 'setup' && (
        <TotpSetupDialog {...stage} onVerified={finishSetup} onClose={close} />
      )}
      {stage.name === 'codes' && (
        <RecoveryCodesDialog username={user.username} codes={stage.codes} onClose={close} />
      )}
      {stage.name === 'disabling' && <DisableDialog {...dialog} onDone={finishDisabling} />}
      {stage.name === 'renewing' && (
        <NewCodesDialog {...dialog} onDone={(codes) => setStage({ name: 'codes', codes })} />
      )}
    </Section>
  )
}

function TotpOn({ onRenew, onDisable }: { onRenew: () => void; onDisable: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      <div className={classes.state}>
        <IconShieldCheck size={22} stroke={1.7} aria-hidden="true" />
        <Text fw={600}>{t('account.totp.on')}</Text>
      </div>
      <Group gap="sm" mt="md">
        <Button variant="default" onClick={onRenew}>
          {t('account.totp.newCodes')}
        </Button>
        <Button color="red" variant="outline" onClick={onDisable}>
          {t('account.totp.disable')}
        </Button>
      </Group>
    </>
  )
}

interface StepDialogProps<T> {
  hasPassword: boolean
  onDone: (result: T) => void
  onError: (error: Error) => void
  onClose: () => void
}

function DisableDialog(props: StepDialogProps<void>) {
  const { t } = useTranslation()
  const http = useHttp()
  return (
    <TotpConfirmDialog
      {...props}
      title={t('account.totp.disableTitle')}
      text={t('account.totp.disableText')}
      codeHint={t('account.totp.anyCodeHint')}
      action={t('account.totp.disable')}
      color="red"
      change={(confirmation) => disableTotp(http, confirmation)}
    />
  )
}

function NewCodesDialog(props: StepDialogProps<string[]>) {
  const { t } = useTranslation()
  const http = useHttp()
  return (
    <TotpConfirmDialog
      {...props}
      title={t('account.totp.newCodes')}
      text={t('account.totp.newCodesText')}
      codeHint={t('account.totp.codeHint')}
      action={t('account.totp.newCodesSubmit')}
      change={(confirmation) => createRecoveryCodes(http, confirmation)}
    />
  )
}
