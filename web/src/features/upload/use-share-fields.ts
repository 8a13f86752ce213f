import { generateShareId } from '@floe/contracts'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useFormRules } from '../../shared/form-rules.ts'
import { useSession } from '../../shared/session/session.ts'
import type { ClosingRules } from '../../shared/share/closing-rules.ts'
import type { ShareFormValues } from '../../shared/share/draft-terms.ts'

export interface ShareFields {
  form: UseFormReturnType<ShareFormValues>
  /** Puts another made-up link in the place of the one in the form. */
  generateLink: () => void
}

export function emptyShareForm(id: string): ShareFormValues {
  return {
    id,
    name: '',
    description: '',
    password: '',
    maxViews: '',
    senderName: '',
    recipients: [],
    restrictToRecipients: false,
    notifyOnDownload: false,
  }
}

/** The fields of a new share and their rules. */
export function useShareFields({
  asksSenderName,
  sharing,
  initialValues,
  initialErrors,
}: {
  asksSenderName: boolean
  sharing: ClosingRules
  initialValues: ShareFormValues
  initialErrors: { id?: string }
}): ShareFields {
  const { t } = useTranslation()
  const { settings } = useSession()
  const rules = useFormRules()
  const idLength = settings['share.shareIdLength']
  const form = useForm<ShareFormValues>({
    initialValues,
    initialErrors,
    validate: {
      id: rules.shareId,
      name: rules.shareName,
      description: rules.shareDescription,
      password: (value) =>
        (sharing.passwordRequired ? rules.required(value) : null) ?? rules.sharePassword(value),
      recipients: (value) =>
        sharing.recipientsOnly && value.length === 0
          ? t('validation.required')
          : rules.recipients(value),
      maxViews: (value) => (value === '' || value >= 1 ? null : t('validation.wholeNumber')),
      senderName: (value) =>
        asksSenderName ? (rules.required(value) ?? rules.senderName(value)) : null,
    },
  })
  return {
    form,
    generateLink() {
      const id = generateShareId(idLength)
      form.setFieldValue('id', id)
      form.resetDirty({ ...form.values, id })
    },
  }
}
