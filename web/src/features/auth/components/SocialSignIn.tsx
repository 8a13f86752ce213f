import { Button, Divider, Stack } from '@mantine/core'
import '@mantine/core/styles/Divider.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { fetchSocialProviders } from '../../../shared/api/social-providers.ts'
import { apiPaths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { hasSignedOut } from '../../../shared/session/signed-out.ts'
import { providerNames } from '../../../shared/social/provider-names.ts'
import { ProviderIcon } from '../../../shared/social/ProviderIcon.tsx'

interface SocialSignInProps {
  landing: string
  /** There is no other way in: a single provider is asked at once. */
  isOnly: boolean
}

/** The ways in by others, where an administrator has switched some on. */
export function SocialSignIn({ landing, isOnly }: SocialSignInProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const providers = useQuery({
    queryKey: queryKeys.socialProviders,
    queryFn: () => fetchSocialProviders(http),
  })
  const [single, another] = providers.data ?? []
  const isAskedAtOnce = isOnly && single !== undefined && another === undefined && !hasSignedOut()
  useEffect(() => {
    if (isAskedAtOnce) window.location.replace(apiPaths.social(single, landing))
  }, [isAskedAtOnce, single, landing])
  if (!providers.data || providers.data.length === 0) return null
  return (
    <Stack gap="sm" mt={isOnly ? 0 : 'lg'}>
      {!isOnly && <Divider label={t('auth.social.or')} mb={4} />}
      {providers.data.map((provider) => (
        <Button
          key={provider}
          component="a"
          href={apiPaths.social(provider, landing)}
          variant="default"
          fullWidth
          leftSection={<ProviderIcon provider={provider} />}
        >
          {t('auth.social.continueWith', { provider: providerNames[provider] })}
        </Button>
      ))}
    </Stack>
  )
}
