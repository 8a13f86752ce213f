import {
  emailSchema,
  isNameTooLong,
  lineSchema,
  senderNameSchema,
  SHARE_ID_PATTERN,
  shareDescriptionSchema,
  shareNameSchema,
  usernameSchema,
} from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { useSession } from './session/session.ts'
import { isRecipient, MAX_RECIPIENTS } from './share/recipients.ts'

/** Stricter than what files may be called: nobody types a control character on purpose. */
const typedFileName = lineSchema(1, 1024)

/** How long a code of an authenticator app is. */
export const CODE_DIGITS = 6

type Rule = (value: string) => string | null

/** The rules of the contracts, with sentences for the person who broke one. */
export function useFormRules() {
  const { t } = useTranslation()
  const minPassword = useSession().settings['general.minPasswordLength']

  function length(min: number, max: number): Rule {
    return (value) => {
      if (value.length < min) return t('validation.atLeast', { length: min })
      return value.length > max ? t('validation.atMost', { length: max }) : null
    }
  }

  const required: Rule = (value) => (value.trim() === '' ? t('validation.required') : null)

  const optional =
    (rule: Rule): Rule =>
    (value) =>
      value === '' ? null : rule(value)

  return {
    required,
    username: ((value) =>
      required(value) ??
      length(3, 32)(value) ??
      (usernameSchema.safeParse(value).success ? null : t('validation.username'))) satisfies Rule,
    email: ((value) =>
      required(value) ??
      (emailSchema.safeParse(value).success ? null : t('validation.email'))) satisfies Rule,
    /** Blanks may be a password. */
    password: ((value) => {
      if (value === '') return t('validation.required')
      return length(minPassword, 1024)(value)
    }) satisfies Rule,
    /** Of an authenticator app. */
    code: ((value) =>
      required(value) ??
      (value.length === CODE_DIGITS
        ? null
        : t('validation.exactly', { length: CODE_DIGITS }))) satisfies Rule,
    /** The name of a file that lies in no folder. */
    fileName: ((value) => {
      if (isNameTooLong(value)) return t('upload.failure.nameTooLong')
      return typedFileName.safeParse(value).success && !/[/\\]/.test(value)
        ? null
        : t('validation.characters')
    }) satisfies Rule,
    recipients: (list: readonly string[]) => {
      if (!list.every(isRecipient)) return t('validation.email')
      return list.length > MAX_RECIPIENTS
        ? t('validation.atMostRecipients', { count: MAX_RECIPIENTS })
        : null
    },
    shareId: ((value) =>
      required(value) ??
      length(3, 50)(value) ??
      (SHARE_ID_PATTERN.test(value) ? null : t('validation.shareId'))) satisfies Rule,
    shareName: optional(
      (value) =>
        length(3, 30)(value) ??
        (shareNameSchema.safeParse(value).success ? null : t('validation.characters')),
    ),
    shareDescription: optional(
      (value) =>
        length(0, 512)(value) ??
        (shareDescriptionSchema.safeParse(value).success ? null : t('validation.characters')),
    ),
    sharePassword: optional(length(3, 30)),
    senderName: ((value) =>
      length(1, 50)(value) ??
      (senderNameSchema.safeParse(value).success
        ? null
        : t('validation.characters'))) satisfies Rule,
  }
}
