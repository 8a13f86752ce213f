import { Button } from '@mantine/core'
import { type SocialLink, type SocialProvider, socialProviders } from '@floe/contracts'
import type { UserView } from '@floe/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { fetchSocialProviders } from '../../../shared/api/social-providers.ts'
import rows from '../../../shared/components/rows.module.css'
import { apiPaths, paths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { providerNames } from '../../../shared/social/provider-names.ts'
import { ProviderIcon } from '../../../shared/social/ProviderIcon.tsx'
import { fetchSocialLinks } from '../api/social-links.ts'
import { Section } from './Section.tsx'
import { UnlinkDialog } from './UnlinkDialog.tsx'

/** Accounts elsewhere that open this one, where an administrator has switched such on. */
export function SocialSection({ user }: { user: UserView }) {
  const { t } = useTranslation()
  const http = useHttp()
  const [unlinking, setUnlinking] = useState<SocialProvider | null>(null)
  const available = useQuery({
    queryKey: queryKeys.socialProviders,
    queryFn: () => fetchSocialProviders(http),
  })
  const links = useQuery({
    queryKey: queryKeys.socialLinks,
    queryFn: () => fetchSocialLinks(http),
  })
  if (!available.data || !links.data) return null
  const hasPassword = user.hasPassword !== false
  const linked = new Map(links.data.map((link) => [link.provider, link]))
  // A provider that was switched off can still be parted from.
  const shown = socialProviders.filter(
    (provider) => available.data.includes(provider) || linked.has(provider),
  )
  if (shown.length === 0) return null

  return (
    <Section title={t('account.social.title')} hint={t('account.social.hint')}>
      <ul className={rows.list}>
        {shown.map((provider) => (
          <Row
            key={provider}
            provider={provider}
            link={linked.get(provider)}
            onUnlink={() => setUnlinking(provider)}
          />
        ))}
      </ul>
      {unlinking && (
        <UnlinkDialog
          provider={unlinking}
          hasPassword={hasPassword}
          isLastWay={!hasPassword && linked.size === 1}
          onClose={() => setUnlinking(null)}
        />
      )}
    </Section>
  )
}

interface RowProps {
  provider: SocialProvider
  link: SocialLink | undefined
  onUnlink: () => void
}

function Row({ provider, link, onUnlink }: RowProps) {
  const { t } = useTranslation()
  const name = providerNames[provider]
  return (
    <li className={rows.row}>
      <span className={rows.icon}>
        <ProviderIcon provider={provider} />
      </span>
      <div className={rows.text}>
        <div className={rows.name}>{name}</div>
        <div className={rows.detail}>
          <span>{link ? link.providerUsername : t('account.social.notLinked')}</span>
        </div>
      </div>
      {link ? (
        <Button
          variant="default"
          size="sm"
          aria-label={t('account.social.unlinkNamed', { provider: name })}
          onClick={onUnlink}
        >
          {t('account.social.unlink')}
        </Button>
      ) : (
        <Button
          component="a"
          href={apiPaths.social(provider, paths.account)}
          variant="default"
          size="sm"
          aria-label={t('account.social.linkNamed', { provider: name })}
        >
          {t('account.social.link')}
        </Button>
      )}
    </li>
  )
}
