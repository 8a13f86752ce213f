import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { notifyError } from '../../../shared/notify.ts'
import { apiPaths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { fetchArchiveState } from '../../../shared/api/share-meta-data.ts'

const ASK_AGAIN_MS = 5000

/** Every file in one archive; asks for patience while the archive is being prepared. */
export function DownloadAll({ shareId }: { shareId: string }) {
  const { t } = useTranslation()
  const http = useHttp()
  const { data } = useQuery({
    queryKey: queryKeys.shareMetaData(shareId),
    queryFn: () => fetchArchiveState(http, shareId),
    refetchInterval: ({ state }) => (state.data?.isReady ? false : ASK_AGAIN_MS),
  })
  const icon = <IconDownload size={18} />
  if (data?.isReady) {
    return (
      <Button component="a" href={apiPaths.archive(shareId)} download leftSection={icon}>
        {t('share.downloadAll')}
      </Button>
    )
  }
  return (
    <Button leftSection={icon} onClick={() => notifyError(t('share.preparing'))}>
      {t('share.downloadAll')}
    </Button>
  )
}
