import { Button, Loader } from '@mantine/core'
import type { ShareView } from '@floe/contracts'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { notifySuccess } from '../../../shared/notify.ts'
import { apiPaths } from '../../../shared/paths.ts'
import { save } from '../../../shared/save.ts'
import { useArchiveState } from '../use-archive-state.ts'
import classes from './AwaitedDownload.module.css'

export interface Awaiting {
  isAwaited: boolean
  setAwaited: (isAwaited: boolean) => void
}

/** Downloads a share whole once all its files are there, without being asked again. */
export function AwaitedDownload({ share, isAwaited, setAwaited }: Awaiting & { share: ShareView }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { coming } = share
  const isOne = share.files.length + (coming?.fileCount ?? 0) === 1
  const label = isOne ? t('share.preview.download') : t('share.downloadAll')
  return (
    <>
      {isAwaited && (
        <div className={classes.waiting} role="status">
          <Loader size={16} aria-hidden="true" />
          {coming && coming.fileCount > 0
            ? t('share.coming.wait', {
                count: coming.fileCount,
                size: format.size(coming.size - coming.received),
              })
            : t('share.preparingArchive')}
        </div>
      )}
      {isAwaited && !coming && <Start share={share} onStarted={() => setAwaited(false)} />}
      {/* One button, which keeps the focus. */}
      <Button
        variant={isAwaited ? 'default' : 'filled'}
        leftSection={isAwaited ? undefined : <IconDownload size={18} />}
        onClick={() => setAwaited(!isAwaited)}
      >
        {isAwaited ? t('common.cancel') : label}
      </Button>
    </>
  )
}

/** Shows nothing: begins the download as soon as it can be had. */
function Start({ share, onStarted }: { share: ShareView; onStarted: () => void }) {
  const { t } = useTranslation()
  const archive = useArchiveState(share.id)
  const [only, another] = share.files
  const soleFile = another === undefined ? only : undefined
  const address = soleFile ? apiPaths.file(share.id, soleFile.id) : apiPaths.archive(share.id)
  const isReady = soleFile !== undefined || archive?.isReady === true
  const start = useEffectEvent(() => {
    save(address)
    notifySuccess(t('share.coming.started'))
    onStarted()
  })
  useEffect(() => {
    if (isReady) start()
  }, [isReady])
  return null
}
