import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { fetchArchiveState } from '../../../shared/api/share-meta-data.ts'
import { notifyError } from '../../../shared/notify.ts'
import { apiPaths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'

// Most archives are ready at once.
const PreparingArchive = lazy(() =>
  import('./PreparingArchive.tsx').then(({ PreparingArchive }) => ({ default: PreparingArchive })),
)

const ASK_AGAIN_MS = 2000

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
  const askForPatience = () => notifyError(t('share.preparing'))
  const unsure = (
    <Button leftSection={icon} onClick={askForPatience}>
      {t('share.downloadAll')}
    </Button>
  )
  if (!data) return unsure
  return (
    <Suspense fallback={unsure}>
      <PreparingArchive progress={data.progress} onClick={askForPatience} />
    </Suspense>
  )
}
