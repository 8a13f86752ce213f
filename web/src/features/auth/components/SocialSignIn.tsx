import { Button, Divider, Stack } from '@mantine/core'
import '@mantine/core/styles/Divider.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { fetchSocialProviders } from '../../../shared/api/social-providers.ts'
import { apiPaths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { providerNames } from '../../../shared/social/provider-names.ts'
import { ProviderIcon } from '../../../shared/social/ProviderIcon.tsx'

/** The other ways in, where an administrator has switched some on. */
export function SocialSignIn({ landing }: { landing: string }) {
  const { t } = useTranslation()
  const http = useHttp()
  const providers = useQuery({
    queryKey: queryKeys.socialProviders,
    queryFn: () => fetchSocialProviders(http),
  })
  if (!providers.data || providers.data.length === 0) return null
  return (
    <Stack gap="sm" mt="lg">
      <Divider label={t('auth.social.or')} mb={4} />
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
