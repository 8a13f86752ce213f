import type { Receiver } from '@floe/contracts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCanSeal } from '../../shared/encryption/can-seal.ts'
import { useSession } from '../../shared/session/session.ts'
import { createReceiver, LEAST_PASSPHRASE_LENGTH, unlockReceiver } from './receiver.ts'
import { type PasskeyChoice, usePasskeyChoice } from './use-passkey-choice.ts'
import { useSecret, useSecrets } from './use-secrets.ts'

/** To whom what is sent will be encrypted. */
export interface ChosenReceiver {
  receiver: Receiver
  /** Of a receiver that was made just now. */
  recoveryCode: string | null
}

export interface ReceiverChoice {
  isOn: boolean
  isRequired: boolean
  /** What has to be typed; nothing where it was typed before. */
  asks: 'new' | 'known' | null
  /** Of the links before, unless another one is chosen. */
  known: Receiver | null
  passphrase: string
  error: string | null
  /** `null` where no passkey can be chosen. */
  passkey: PasskeyChoice | null
  choose(isOn: boolean): void
  type(passphrase: string): void
  /** Another receiver than the one before. */
  beginAnew(): void
  /** Where it is on; `null` where what was typed will not do. */
  resolve(): Promise<ChosenReceiver | null>
}

/**
 * Whether what is sent through a new reverse share is encrypted, and to whom; `null` where it cannot
 * be.
 *
 * @param known Of another reverse share of the account.
 */
export function useReceiverChoice(known: Receiver | null): ReceiverChoice | null {
  const { t } = useTranslation()
  const { settings } = useSession()
  const secrets = useSecrets()
  const canSeal = useCanSeal()
  const mode = settings['share.encryption']
  const [isChosen, setChosen] = useState(mode === 'default')
  const [isNew, setNew] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [error, setError] = useState<string | null>(null)
  const isOn = isChosen || mode === 'required'
  const kept = isNew ? null : known
  const isUnlocked = useSecret(kept?.publicKey) !== null
  const passkey = usePasskeyChoice({ isAsked: isOn && kept === null })
  if (mode === 'off' || canSeal === false) return null

  async function make(): Promise<ChosenReceiver | null> {
    if (passphrase.length < LEAST_PASSPHRASE_LENGTH) {
      setError(t('validation.atLeast', { length: LEAST_PASSPHRASE_LENGTH }))
      return null
    }
    const hasPasskey = passkey.choice?.isOn === true
    const made = await createReceiver(passphrase, { hasPasskey }).catch(passkey.tell)
    if (!made) return null
    const { receiver, secret, recoveryCode } = made
    secrets.keep(receiver.publicKey, secret)
    return { receiver, recoveryCode }
  }

  /** Nobody else's public key is taken from the server: what is typed has to unlock its secret. */
  async function takeKept(receiver: Receiver): Promise<ChosenReceiver | null> {
    if (isUnlocked) return { receiver, recoveryCode: null }
    const secret = await unlockReceiver(receiver, passphrase)
    if (secret === null) {
      setError(t('reverseShares.sealed.wrong'))
      return null
    }
    secrets.keep(receiver.publicKey, secret)
    return { receiver, recoveryCode: null }
  }

  return {
    isOn,
    isRequired: mode === 'required',
    asks: isUnlocked ? null : kept ? 'known' : 'new',
    known: kept,
    passphrase,
    error,
    passkey: passkey.choice,
    choose: setChosen,
    type(next) {
      setPassphrase(next)
      setError(null)
    },
    beginAnew() {
      setNew(true)
      setError(null)
    },
    resolve: () => (kept ? takeKept(kept) : make()),
  }
}
