import { auditActions, type AuditEntry, socialProviders } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { providerNames } from '../../../shared/social/provider-names.ts'

/** What entries say beside action and target, in codes of their services. */
const detailWords = [
  'password',
  'second_factor',
  'passkey',
  'copied_passkey',
  'sent',
  'failed',
  'username',
  'email',
  'storageLimit',
  'shareSizeLimit',
  'sharingExceptions',
  'name',
  'description',
  'expiration',
  'security',
  'recipients',
  'notifyOnDownload',
  'no_user',
  'no_email',
  'unverified_account',
  'email_already_exists',
  'email_domain_refused',
  'account_waiting',
  'role_missing',
  'discord_guild_permission_denied',
] as const

/** How entries of the log are told. */
export function useAuditTexts() {
  const { t, i18n } = useTranslation()
  const moments = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: 'medium',
    timeStyle: 'medium',
  })
  return {
    moment: ({ at }: Pick<AuditEntry, 'at'>) => moments.format(new Date(at)),
    /** The code itself where a newer server tells of what this page does not know. */
    action: (code: string) => {
      const action = auditActions.find((known) => known === code)
      return action === undefined ? code : t(`audit.actions.${action}`)
    },
    actor: ({ actor }: Pick<AuditEntry, 'actor'>) => actor.name ?? t('audit.nobody'),
    /** The name, and the id where it says more. */
    target: ({ target }: Pick<AuditEntry, 'target'>) => {
      const { name, id, type } = target ?? {}
      if (name && id && name !== id && type === 'share') return `${name} (${id})`
      return name ?? id ?? ''
    },
    details: ({ details }: Pick<AuditEntry, 'details'>) =>
      Object.values(details)
        .flatMap((codes) => codes.split(' '))
        .map((code) => {
          const word = detailWords.find((known) => known === code)
          const provider = socialProviders.find((known) => known === code)
          if (word) return t(`audit.details.${word}`)
          return provider ? providerNames[provider] : code
        })
        .join(', '),
  }
}
