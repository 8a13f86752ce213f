import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../shared/lazy-part.ts'
import { notifyError } from '../../../shared/notify.ts'
import { useShareAddresses } from '../share-addresses.ts'
import { useArchiveState } from '../use-archive-state.ts'

// Most archives are ready at once.
const PreparingArchive = lazyPart(
  () => import('./PreparingArchive.tsx'),
  ({ PreparingArchive }) => PreparingArchive,
)

/** Every file in one archive; asks for patience while the archive is being prepared. */
export function DownloadAll({ shareId }: { shareId: string }) {
  const { t } = useTranslation()
  const data = useArchiveState(shareId)
  const { archive, isSaidByLinks } = useShareAddresses()
  const icon = <IconDownload size={18} />
  if (data?.isReady) {
    return (
      <Button component="a" href={archive(shareId)} download={isSaidByLinks} leftSection={icon}>
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
