import { Alert, Anchor } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Anchor.layer.css'
import { isNewer, RELEASE_VERSION } from '@floe/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { readPreferences, writePreferences } from '../../../shared/session/preferences.ts'
import { fetchLatestRelease } from '../api/latest-release.ts'

/** Tells of a newer version until somebody closes it, then of the next one. */
export function ReleaseNotice() {
  const { t } = useTranslation()
  const http = useHttp()
  const [closed, setClosed] = useState(() => readPreferences(localStorage).closedRelease)
  const { data: latest } = useQuery({
    queryKey: queryKeys.latestRelease,
    queryFn: () => fetchLatestRelease(http),
    retry: false,
  })
  if (!latest || !isNewer(latest.version, RELEASE_VERSION) || latest.version === closed) return null

  function close(closedRelease: string) {
    writePreferences(localStorage, { ...readPreferences(localStorage), closedRelease })
    setClosed(closedRelease)
  }
  return (
    <Alert
      variant="light"
      mb="lg"
      withCloseButton
      closeButtonLabel={t('common.close')}
      onClose={() => close(latest.version)}
    >
      <Anchor href={latest.url} target="_blank" rel="noreferrer" inherit>
        {t('admin.newVersion', { version: latest.version })}
      </Anchor>
    </Alert>
  )
}
