import { EncryptedShareError, keyOfLink, type ShareKey } from '@floe/encryption'
import { Button } from '@mantine/core'
import type { ShareView } from '@floe/contracts'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CopiedText } from '../../../shared/components/CopiedText.tsx'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { Page } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { paths } from '../../../shared/paths.ts'
import { encryptedAddresses } from '../encrypted/addresses.ts'
import { serveWorker } from '../encrypted/messages.ts'
import { openInPage } from '../encrypted/open-in-page.ts'
import { canDecrypt } from '../encrypted/start-worker.ts'
import { ShareAddressesContext } from '../share-addresses.ts'
import { ContentsSkeleton } from './ContentsSkeleton.tsx'
import classes from './EncryptedShare.module.css'
import { ShareContents } from './ShareContents.tsx'

/** A share that only its link opens: decrypted here, or how else, or what its link lacks. */
export function EncryptedShare({ share }: { share: ShareView }) {
  const { t } = useTranslation()
  const link = window.location.href
  const shareKey = useMemo(() => keyOfLink(link)?.shareKey ?? null, [link])
  if (shareKey === null) return <Refusal text={t('share.encrypted.noKey')} />
  if (!canDecrypt()) return <OtherWay link={link} />
  return <Opening share={share} shareKey={shareKey} link={link} />
}

interface OpeningProps {
  share: ShareView
  shareKey: ShareKey
  link: string
}

function Opening({ share, shareKey, link }: OpeningProps) {
  const { t } = useTranslation()
  useEffect(
    () => serveWorker(navigator.serviceWorker, { shareId: share.id, shareKey }),
    [share.id, shareKey],
  )
  const { data, error } = useQuery({
    queryKey: ['encrypted-share', share.id, link],
    queryFn: () => openInPage(share, shareKey),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data) {
    return (
      <ShareAddressesContext value={encryptedAddresses}>
        <ShareContents share={data} note={<Note />} />
      </ShareAddressesContext>
    )
  }
  if (error instanceof EncryptedShareError && error.fault !== 'connection') {
    const isKey = error.fault === 'key'
    return <Refusal text={t(isKey ? 'share.encrypted.wrongKey' : 'share.encrypted.damaged')} />
  }
  if (error) return <OtherWay link={link} />
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

function Refusal({ text }: { text: string }) {
  const { t } = useTranslation()
  const action = (
    <Button component={PageLink} to={paths.home}>
      {t('notFound.home')}
    </Button>
  )
  return <Locked text={text} action={action} />
}

/** For browsers that cannot: what can. */
function OtherWay({ link }: { link: string }) {
  const { t } = useTranslation()
  const command = (
    <CopiedText
      label={t('share.encrypted.commandLine')}
      copyLabel={t('share.encrypted.copyCommand')}
      text={`floe get '${link}'`}
    />
  )
  return <Locked text={t('share.encrypted.text')} action={command} />
}

function Locked({ text, action }: { text: string; action: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Page>
      <DeadEnd scene="locked" title={t('share.encrypted.title')} text={text} action={action} />
    </Page>
  )
}
