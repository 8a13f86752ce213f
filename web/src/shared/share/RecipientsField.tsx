import { Pill, PillsInput } from '@mantine/core'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import {
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useUndo } from '../use-undo.ts'
import { addRecipients, isRecipient, splitRecipients } from './recipients.ts'
import classes from './RecipientsField.module.css'

interface RecipientsFieldProps {
  value: readonly string[]
  error: ReactNode
  /** What is shared is encrypted: the server has no key to mail. */
  isEncrypted: boolean
  onChange: (value: string[]) => void
}

const endsAddress = new Set(['Enter', ',', ';', ' '])

/** Addresses as chips; one that is none stays, in red, until it is taken out. */
export function RecipientsField(props: RecipientsFieldProps) {
  const { value, error, isEncrypted, onChange } = props
  const { t } = useTranslation()
  const { draftProps, takeOut } = useRecipients(value, onChange)
  const hasInvalid = value.some((address) => !isRecipient(address))

  return (
    <PillsInput
      label={t('upload.recipients.label')}
      description={t(isEncrypted ? 'upload.recipients.hintWithoutKey' : 'upload.recipients.hint')}
      error={error ?? (hasInvalid ? t('validation.email') : null)}
    >
      <Pill.Group>
        {value.map((address) => (
          <Pill
            key={address}
            className={classes.pill ?? ''}
            data-invalid={!isRecipient(address) || undefined}
            withRemoveButton
            removeButtonProps={{
              'aria-label': t('upload.recipients.remove', { address }),
              'aria-hidden': false,
              tabIndex: 0,
            }}
            onRemove={() => takeOut(address)}
          >
            {address}
          </Pill>
        ))}
        <PillsInput.Field
          data-path="recipients"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...draftProps}
        />
      </Pill.Group>
    </PillsInput>
  )
}

/** What is being typed becomes an address when it ends, is pasted or is left. */
function useRecipients(value: readonly string[], onChange: RecipientsFieldProps['onChange']) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState('')
  const [isLeft, setIsLeft] = useState(false)
  const undo = useUndo()

  function take(text: string) {
    const added = splitRecipients(text)
    if (added.length > 0) {
      undo.withdraw()
      onChange(addRecipients(value, added))
    }
    setDraft('')
  }

  function takeOut(address: string) {
    onChange(value.filter((other) => other !== address))
    undo.offer(t('undo.removed', { name: address }), () => onChange([...value]))
  }

  // Not before the pointer is up: a chip that appears moves what is being pressed away under it.
  useEffect(() => {
    if (!isLeft) return
    const settle = () => {
      setIsLeft(false)
      take(draft)
    }
    window.addEventListener('pointerup', settle)
    return () => window.removeEventListener('pointerup', settle)
  })

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Tab') take(draft)
    else if (endsAddress.has(event.key) && draft.trim() !== '') {
      event.preventDefault()
      take(draft)
    } else if (event.key === 'Backspace' && draft === '' && value.length > 0) {
      event.preventDefault()
      // It can be corrected instead of being typed anew.
      setDraft(value.at(-1) ?? '')
      onChange(value.slice(0, -1))
    }
  }

  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text')
    if (splitRecipients(text).length < 2) return
    event.preventDefault()
    take(`${draft} ${text}`)
  }

  const draftProps = {
    value: draft,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setDraft(event.currentTarget.value),
    onKeyDown,
    onPaste,
    onFocus: () => setIsLeft(false),
    onBlur: () => setIsLeft(draft !== ''),
  }
  return { draftProps, takeOut }
}
