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

  /** Another tab or device may have switched it meanwhile. */
  function recheck(error: Error) {
    if (!hasCode(error, 'totp_already_enabled', 'totp_not_enabled')) return
    fetchOwnUser(http).then(changeUser, () => undefined)
  }

  function finishSetup(codes: string[] | null) {
    changeUser({ ...user, totpVerified: true })
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

  const dialog = { hasPassword, onError: recheck, onClose: close }
  return (
    <Section title={t('account.totp.title')} hint={t('account.totp.hint')}>
      {user.totpVerified ? (
        <>
          <div className={classes.state}>
            <IconShieldCheck size={22} stroke={1.7} aria-hidden="true" />
            <Text fw={600}>{t('account.totp.on')}</Text>
          </div>
          <Group gap="sm" mt="md">
            <Button variant="default" onClick={() => setStage({ name: 'renewing' })}>
              {t('account.totp.newCodes')}
            </Button>
            <Button color="red" variant="outline" onClick={() => setStage({ name: 'disabling' })}>
              {t('account.totp.disable')}
            </Button>
          </Group>
        </>
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
      {stage.name === 'disabling' && (
        <TotpConfirmDialog
          {...dialog}
          title={t('account.totp.disableTitle')}
          text={t('account.totp.disableText')}
          codeHint={t('account.totp.anyCodeHint')}
          action={t('account.totp.disable')}
          color="red"
          change={(confirmation) => disableTotp(http, confirmation)}
          onDone={finishDisabling}
        />
      )}
      {stage.name === 'renewing' && (
        <TotpConfirmDialog
          {...dialog}
          title={t('account.totp.newCodes')}
          text={t('account.totp.newCodesText')}
          codeHint={t('account.totp.codeHint')}
          action={t('account.totp.newCodesSubmit')}
          change={(confirmation) => createRecoveryCodes(http, confirmation)}
          onDone={(codes) => setStage({ name: 'codes', codes })}
        />
      )}
    </Section>
  )
}
