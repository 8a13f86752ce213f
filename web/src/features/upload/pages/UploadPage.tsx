import { largestShareBytes } from '@floe/contracts'
import { IconShare } from '@tabler/icons-react'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { HomeButton } from '../../../shared/components/HomeButton.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useSession } from '../../../shared/session/session.ts'
import { useUploadDesk } from '../../../shared/upload/upload-desk.ts'
import type { UploadJob } from '../../../shared/upload/upload-job.ts'
import { EncryptionSwitch } from '../components/EncryptionSwitch.tsx'
import { NewUpload } from '../components/NewUpload.tsx'
import { StorageLeft } from '../components/StorageLeft.tsx'
import { RunningUpload, VerifyNotice } from '../lazy.ts'
import { registerShareTarget } from '../share-target/register.ts'
import { useEncryption } from '../use-encryption.ts'
import { useOwnStorage } from '../use-own-storage.ts'
import { useUploadActions } from '../use-upload-actions.ts'

export function Page() {
  const { t } = useTranslation()
  const { job } = useUploadDesk()
  useEffect(registerShareTarget, [])
  return (
    <>
      <PageTitle>{t('upload.title')}</PageTitle>
      {job ? <Running job={job} /> : <Beginning />}
    </>
  )
}

function useIntake() {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings, user } = useSession()
  const storage = useOwnStorage()
  const maxBytes = largestShareBytes(settings, user)
  return {
    heading: t('upload.title'),
    submit: { label: t('upload.create.submit'), icon: <IconShare size={18} /> },
    about: storage && <StorageLeft storage={storage} />,
    hint:
      maxBytes > 0
        ? t('upload.drop.hintWithLimit', { maxSize: format.size(maxBytes) })
        : t('upload.drop.hint'),
    maxBytes,
    leftBytes: storage?.leftBytes ?? null,
    actions: useUploadActions(),
  }
}

function Beginning() {
  const { user } = useSession()
  if (user?.mustVerifyEmail) {
    return (
      <Suspense>
        <VerifyNotice email={user.email} />
      </Suspense>
    )
  }
  return <Choosing />
}

function Choosing() {
  const { t } = useTranslation()
  const choice = useEncryption()
  const intake = useIntake()
  if (choice === 'unable') {
    return (
      <PageColumn>
        <DeadEnd
          scene="gone"
          title={t('send.unable.title')}
          text={t('upload.encryption.unable')}
          action={<HomeButton />}
        />
      </PageColumn>
    )
  }
  return (
    <PageColumn>
      <NewUpload
        {...intake}
        choices={choice && <EncryptionSwitch {...choice} />}
        encryption={choice?.isOn ? { publicKey: null } : null}
      />
    </PageColumn>
  )
}

function Running({ job }: { job: UploadJob }) {
  return <RunningUpload {...useIntake()} job={job} />
}
