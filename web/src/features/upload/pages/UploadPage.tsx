import { IconShare } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useSession } from '../../../shared/session/session.ts'
import { useUploadDesk } from '../../../shared/upload/upload-desk.ts'
import { NewUpload } from '../components/NewUpload.tsx'
import { StorageLeft } from '../components/StorageLeft.tsx'
import { ActiveUpload, CreateShareDialog } from '../lazy.ts'
import { registerShareTarget } from '../share-target/register.ts'
import { useOwnStorage } from '../use-own-storage.ts'
import { useUploadActions } from '../use-upload-actions.ts'

export function Page() {
  const { t } = useTranslation()
  const format = useFormat()
  const { job } = useUploadDesk()
  const { settings } = useSession()
  const actions = useUploadActions()
  const storage = useOwnStorage()
  const maxBytes = settings['share.maxSize']
  useEffect(registerShareTarget, [])
  return (
    <PageColumn>
      <PageTitle>{t('upload.title')}</PageTitle>
      {job ? (
        <ActiveUpload job={job} actions={actions} maxBytes={maxBytes} />
      ) : (
        <NewUpload
          heading={t('upload.title')}
          about={storage && <StorageLeft storage={storage} />}
          submit={{ label: t('upload.share'), icon: <IconShare size={18} /> }}
          hint={
            maxBytes > 0
              ? t('upload.drop.hintWithLimit', { maxSize: format.size(maxBytes) })
              : t('upload.drop.hint')
          }
          maxBytes={maxBytes}
          leftBytes={storage?.leftBytes ?? null}
          actions={actions}
          dialog={(props) => <CreateShareDialog {...props} />}
        />
      )}
    </PageColumn>
  )
}
