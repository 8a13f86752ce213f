import { Anchor, Text } from '@mantine/core'
import '@mantine/core/styles/Anchor.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { fetchLatestRelease } from '../api/latest-release.ts'
import { isNewer } from '../is-newer.ts'

/** Which version runs here, and whether there is a newer one. Says nothing where nobody knows. */
export function VersionLine() {
  const { t } = useTranslation()
  const http = useHttp()
  const { version } = useSession()
  const { data: latest } = useQuery({
    queryKey: queryKeys.latestRelease,
    queryFn: () => fetchLatestRelease(http),
    retry: false,
  })
  return (
    <Text size="sm" c="dimmed" ta="center" mt="xl">
      {t('admin.version', { version })}
      {latest && isNewer(latest.version, version) && (
        <>
          {' · '}
          <Anchor href={latest.url} target="_blank" rel="noreferrer" inherit>
            {t('admin.newVersion', { version: latest.version })}
          </Anchor>
        </>
      )}
    </Text>
  )
}
