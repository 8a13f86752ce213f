import type { ShareView } from '@floe/contracts'
import { EncryptedShareError, encodeKey, keyOfLink, type ShareKey } from '@floe/encryption'
import { IconLock } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { lazyPart } from '../../../shared/lazy-part.ts'
import { encryptedAddresses } from '../encrypted/addresses.ts'
import { canDecrypt } from '../encrypted/can-decrypt.ts'
import { lockInWorker } from '../../../shared/encryption/lock.ts'
import { serveWorker } from '../encrypted/messages.ts'
import { NoWorkerError, openInPage } from '../encrypted/open-in-page.ts'
import { ShareAddressesContext } from '../share-addresses.ts'
import { ContentsSkeleton } from './ContentsSkeleton.tsx'
import classes from './EncryptedShare.module.css'
import { LinkWithoutKey, OtherWay, Refusal } from './LockedShare.tsx'
import { ShareContents } from './ShareContents.tsx'
import { ShareDeadEnd } from './ShareDeadEnd.tsx'

// Most shares have no password.
const PasswordQuestion = lazyPart(
  () => import('../../../shared/share/PasswordQuestion.tsx'),
  ({ PasswordQuestion }) => PasswordQuestion,
)

interface EncryptedShareProps {
  share: ShareView
  /** What a password has made of the key in the link, where the server asked for one. */
  openingKey: ShareKey | null
}

/** A share that only its link opens: decrypted here, or how else, or what its link lacks. */
export function EncryptedShare({ share, openingKey }: EncryptedShareProps) {
  const link = window.location.href
  const key = useMemo(() => keyOfLink(link), [link])
  const { t } = useTranslation()
  if (key === null) return <LinkWithoutKey />
  if (!share.encrypted) return <Refusal text={t('share.encrypted.damaged')} />
  if (!canDecrypt()) return <OtherWay link={link} />
  if (openingKey === null && key.hasPassword) {
    return <Asking share={share} shareKey={key.shareKey} link={link} />
  }
  return <Opening share={share} openingKey={openingKey ?? key.shareKey} link={link} />
}

/** Who was let in before is not asked by the server, but the password is part of the key. */
function Asking({ share, shareKey, link }: { share: ShareView; shareKey: ShareKey; link: string }) {
  const { t } = useTranslation()
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: async (password: string) => {
      const { openingKey } = await lockInWorker(shareKey, password)
      return { openingKey, opened: await openInPage(share, openingKey) }
    },
  })
  if (data) return <Opened share={data.opened} openingKey={data.openingKey} />
  const isWrong = faultOf(error) === 'key'
  if (error && !isWrong) return <Failure error={error} link={link} />
  return (
    <>
      <Waiting />
      <Suspense>
        <PasswordQuestion
          text={t('share.password.text')}
          submit={t('share.password.submit')}
          error={isWrong ? t('share.password.invalid') : null}
          isBusy={isPending}
          onPassword={mutate}
          onChange={reset}
        />
      </Suspense>
    </>
  )
}

interface OpeningProps {
  share: ShareView
  openingKey: ShareKey
  link: string
}

function Opening({ share, openingKey, link }: OpeningProps) {
  const { data, error } = useQuery({
    queryKey: ['encrypted-share', share.id, encodeKey(openingKey)],
    queryFn: () => openInPage(share, openingKey),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data) return <Opened share={data} openingKey={openingKey} />
  return error ? <Failure error={error} link={link} /> : <Waiting />
}

/** By the names it had. The worker gets its key from here. */
function Opened({ share, openingKey }: { share: ShareView; openingKey: ShareKey }) {
  const { id } = share
  useEffect(
    () => serveWorker(navigator.serviceWorker, { shareId: id, shareKey: openingKey }),
    [id, openingKey],
  )
  return (
    <ShareAddressesContext value={encryptedAddresses}>
      <ShareContents share={share} note={<Note />} />
    </ShareAddressesContext>
  )
}

function faultOf(error: Error | null) {
  return error instanceof EncryptedShareError ? error.fault : null
}

function Failure({ error, link }: { error: Error; link: string }) {
  const { t } = useTranslation()
  const fault = faultOf(error)
  if (error instanceof NoWorkerError) return <OtherWay link={link} />
  if (fault === null || fault === 'connection') {
    return (
      <Page>
        <ShareDeadEnd error={error} />
      </Page>
    )
  }
  return (
    <Refusal text={t(fault === 'key' ? 'share.encrypted.wrongKey' : 'share.encrypted.damaged')} />
  )
}

function Waiting() {
  const { t } = useTranslation()
  return (
    <Page>
      <PageTitle>{t('share.title')}</PageTitle>
      <ContentsSkeleton />
    </Page>
  )
}

function Note() {
  const { t } = useTranslation()
  return (
    <p className={classes.note}>
      <IconLock size={16} aria-hidden="true" />
      {t('share.encrypted.note')}
    </p>
  )
}
