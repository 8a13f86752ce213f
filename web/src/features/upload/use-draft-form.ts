import type { ReverseShareView } from '@floe/contracts'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../shared/api/api-error.ts'
import { useErrorMessage } from '../../shared/api/error-message.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { notifyError } from '../../shared/notify.ts'
import { type ClosingRules, useClosingRules } from '../../shared/share/closing-rules.ts'
import { type ChosenExpiry, useExpiryChoice } from '../../shared/share/use-expiry-choice.ts'
import { createSharing, type Terms } from '../../shared/upload/complete-share.ts'
import type { ShareEncryption } from '../../shared/upload/encrypted/share-encryption.ts'
import type { UploadJob } from '../../shared/upload/upload-job.ts'
import { toSentTerms, toTerms } from './to-share-input.ts'
import { emptyShareForm, type ShareFields, useShareFields } from './use-share-fields.ts'

export interface DraftForm extends ShareFields {
  draftId: string
  isEncrypted: boolean
  expiry: ChosenExpiry
  /** The link that it is sent through. */
  reverseShare: ReverseShareView | undefined
  asksSenderName: boolean
  sharing: ClosingRules
  /** Why sharing failed, unless it stands at its field. */
  error: string | null
  /** Shares the draft as soon as its files are there; calls back where a field is not right. */
  share: (onInvalid: () => void) => void
  /** Shares its link at once. */
  shareNow: (onInvalid: () => void) => void
}

export interface DraftFormOptions {
  job: UploadJob
  /** Why the last attempt to share it failed. */
  failure: unknown
  /** The link that it is sent through. */
  reverseShare?: ReverseShareView | undefined
}

/** What is filled in while the files of a draft are sent. It outlives the page in the job. */
export function useDraftForm({ job, failure, reverseShare }: DraftFormOptions): DraftForm {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const draftId = job.session.shareId
  const terms = job.getTerms()
  const isLinkTaken = hasCode(failure, 'share_id_taken')
  const expiry = useExpiryChoice(terms?.expiry)
  const asksSenderName = reverseShare?.askSenderName === true && job.reverseShare?.isGuest === true
  const sharing = useClosingRules({ isSent: reverseShare !== undefined })
  const fields = useShareFields({
    asksSenderName,
    sharing,
    initialValues: terms?.values ?? emptyShareForm(draftId),
    initialErrors: isLinkTaken ? { id: errorMessage(failure) } : {},
  })
  const { form } = fields
  const { values } = form
  useEffect(() => job.keepTerms({ values, expiry: expiry.choice }), [job, values, expiry.choice])
  const showTaken = useEffectEvent(() => {
    if (isLinkTaken) form.getInputNode('id')?.focus()
  })
  // What was pressed went with the page that stood here while it was asked for.
  useEffect(() => showTaken(), [])

  function share(onInvalid: () => void) {
    const isEndWrong = !reverseShare && expiry.error !== null
    const { errors } = form.validate()
    // Of all fields, only the link stands above the end.
    const wrong = isEndWrong && !('id' in errors) ? 'expiry' : Object.keys(errors)[0]
    if (wrong !== undefined) {
      form.getInputNode(wrong)?.focus()
      return onInvalid()
    }
    const final = reverseShare ? toSentTerms(values) : toTerms(values, expiry.expiration)
    const { encryption } = job
    if (encryption === null) job.share(createSharing(http, { draftId, terms: final, failure }))
    else void lockAndShare(encryption, final)
  }

  async function lockAndShare(encryption: ShareEncryption, final: Terms) {
    try {
      const locked = await encryption.lock(final)
      // A second press came too late.
      const sharing = createSharing(http, { draftId, terms: locked, failure })
      if (job.getStage().name === 'draft') job.share(sharing)
    } catch (error) {
      notifyError(errorMessage(error))
    }
  }

  function shareNow(onInvalid: () => void) {
    share(onInvalid)
    // Nothing happens where a field is not right, or everything is there already.
    job.open()
  }

  function errorOf(): string | null {
    if (failure === null || isLinkTaken) return null
    // It goes with the link it was begun through.
    if (reverseShare && hasCode(failure, 'share_not_found')) return t('errors.reverseShareNotFound')
    return errorMessage(failure)
  }

  const error = errorOf()
  const isEncrypted = job.encryption !== null
  const told = { draftId, isEncrypted, expiry, reverseShare, asksSenderName, sharing, error }
  return { ...fields, ...told, share, shareNow }
}
