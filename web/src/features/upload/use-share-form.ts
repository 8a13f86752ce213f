import type { CreateShareInput, ShareReceipt } from '@floe/contracts'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../shared/api/api-error.ts'
import { useErrorMessage } from '../../shared/api/error-message.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { useFormRules } from '../../shared/form-rules.ts'
import { useSession } from '../../shared/session/session.ts'
import { generateShareId } from '../../shared/share/share-id.ts'
import { createShare } from './api/create-share.ts'
import type { ShareFormValues } from './to-share-input.ts'

const LINKS_TO_TRY = 10

interface ShareForm {
  form: UseFormReturnType<ShareFormValues>
  /** Puts another made-up link in the place of the one in the form. */
  generateLink: () => void
  create: UseMutationResult<ShareReceipt, Error, ShareFormValues>
  /** What went wrong, unless it stands at its field. */
  error: string | null
}

/** The form of a new share, and the call that opens it for uploads. */
export function useShareForm({
  asksSenderName,
  toInput,
  onCreated,
}: {
  asksSenderName: boolean
  toInput: (values: ShareFormValues) => CreateShareInput
  onCreated: (share: ShareReceipt) => void
}): ShareForm {
  const { t } = useTranslation()
  const http = useHttp()
  const { settings } = useSession()
  const rules = useFormRules()
  const errorMessage = useErrorMessage()
  const idLength = settings['share.shareIdLength']
  const form = useForm<ShareFormValues>({
    initialValues: {
      id: generateShareId(idLength),
      name: '',
      description: '',
      password: '',
      maxViews: '',
      senderName: '',
      recipients: [],
      notifyOnDownload: false,
    },
    validate: {
      id: rules.shareId,
      name: rules.shareName,
      description: rules.shareDescription,
      password: rules.sharePassword,
      recipients: rules.recipients,
      maxViews: (value) => (value === '' || value >= 1 ? null : t('validation.wholeNumber')),
      senderName: (value) =>
        asksSenderName ? (rules.required(value) ?? rules.senderName(value)) : null,
    },
  })

  /** Nobody chose a made-up link: when it is taken, another does as well. */
  async function createWithFreeLink(values: ShareFormValues): Promise<ShareReceipt> {
    const isOwnWording = form.isDirty('id')
    for (let tries = 1; ; tries += 1) {
      const id = tries === 1 ? values.id : generateShareId(idLength)
      try {
        return await createShare(http, toInput({ ...values, id }))
      } catch (error) {
        const mayRetry = !isOwnWording && tries < LINKS_TO_TRY
        if (!mayRetry || !hasCode(error, 'share_id_taken')) throw error
      }
    }
  }

  const create = useMutation({
    mutationFn: createWithFreeLink,
    onSuccess: onCreated,
    onError: (error) => {
      if (hasCode(error, 'share_id_taken')) form.setFieldError('id', errorMessage(error))
    },
  })
  const isAtField = hasCode(create.error, 'share_id_taken')

  return {
    form,
    create,
    error: create.error && !isAtField ? errorMessage(create.error) : null,
    generateLink() {
      const id = generateShareId(idLength)
      form.setFieldValue('id', id)
      form.resetDirty({ ...form.values, id })
    },
  }
}
