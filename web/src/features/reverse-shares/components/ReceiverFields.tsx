import { Anchor, Switch } from '@mantine/core'
import '@mantine/core/styles/Anchor.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import type { ReceiverChoice } from '../use-receiver-choice.ts'
import { PasskeyButton } from './PasskeyButton.tsx'

/** Whether what is sent is encrypted for the owner of the link, and what will open it. */
export function ReceiverFields(choice: ReceiverChoice) {
  const { isOn, isRequired, asks, known, passphrase, error, passkey } = choice
  const { choose, type, beginAnew } = choice
  const { t } = useTranslation()
  return (
    <>
      <Switch
        label={t('reverseShares.sealed.label')}
        description={t('reverseShares.sealed.hint')}
        checked={isOn}
        disabled={isRequired}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      {isOn && asks !== null && (
        <div>
          <PasswordField
            label={t(`reverseShares.sealed.${asks === 'new' ? 'newPassphrase' : 'passphrase'}`)}
            description={asks === 'new' && t('reverseShares.sealed.newPassphraseHint')}
            autoComplete={asks === 'new' ? 'new-password' : 'off'}
            value={passphrase}
            error={error}
            onChange={(event) => type(event.currentTarget.value)}
          />
          {asks === 'known' && (
            <Anchor component="button" type="button" size="sm" mt={6} onClick={beginAnew}>
              {t('reverseShares.sealed.another')}
            </Anchor>
          )}
        </div>
      )}
      {isOn && asks === 'known' && known && <PasskeyButton receiver={known} />}
      {isOn && asks === 'new' && passkey && (
        <Switch
          label={t('reverseShares.sealed.passkey')}
          checked={passkey.isOn}
          error={passkey.error}
          onChange={(event) => passkey.choose(event.currentTarget.checked)}
        />
      )}
    </>
  )
}
