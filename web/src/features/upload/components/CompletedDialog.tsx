import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Art } from '../../../shared/art/Art.tsx'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { fetchOwnShare } from '../../../shared/api/own-shares.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { expiryOf } from '../../../shared/share-link.ts'
import type { CompletedShare } from '../../../shared/upload/complete-share.ts'
import type { ShareEncryption } from '../../../shared/upload/encrypted/share-encryption.ts'
import { isSharePrivate } from '../api/is-share-private.ts'
import { FinishedLink } from './FinishedLink.tsx'

/** How often it is asked whether the files were scanned. */
const SCAN_MS = 5_000

interface CompletedDialogProps {
  receipt: CompletedShare
  encryption?: ShareEncryption | null
  onDone: () => void
}

/** The finished share, or the word that it arrived. Closed by Done alone. */
export function CompletedDialog({ receipt, encryption = null, onDone }: CompletedDialogProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, expiration, waitsForScan, notifyReverseShareCreator: isNotified } = receipt
  const expiresAt = expiryOf(expiration)
  // Told only of what went through a reverse share.
  if (isNotified !== undefined) {
    return (
      <FinishedDialog title={t('send.done.title')} onDone={onDone}>
        <Text size="sm">{t(textOfSent(receipt))}</Text>
        <SentLink
          shareId={id}
          expiry={
            expiresAt && (
              <Text size="sm" c="dimmed">
                {t('send.keptUntil', { date: format.date(expiresAt) })}
              </Text>
            )
          }
        />
      </FinishedDialog>
    )
  }
  return (
    <FinishedDialog title={t('upload.completed.title')} onDone={onDone}>
      <FinishedLink
        shareId={id}
        encryption={encryption}
        expiry={
          <Stack gap={4}>
            {waitsForScan && <ScanWait shareId={id} />}
            <Text size="sm" c="dimmed">
              {expiresAt
                ? t('share.expiresOn', { date: format.date(expiresAt) })
                : t('share.neverExpires')}
            </Text>
            <Recipients shareId={id} />
            {encryption && (
              <Text size="sm" fw={600}>
                {t('upload.encryption.keep')}
              </Text>
            )}
          </Stack>
        }
      />
    </FinishedDialog>
  )
}

/** Its receiver neither sees nor is told of what is held. */
function textOfSent({ waitsForScan, notifyReverseShareCreator: isNotified }: CompletedShare) {
  if (waitsForScan) return 'myShares.waitsForScan'
  return isNotified ? 'send.done.notified' : 'send.done.text'
}

/** Its link leads nowhere meanwhile. */
function ScanWait({ shareId }: { shareId: string }) {
  const { t } = useTranslation()
  const http = useHttp()
  const { data } = useQuery({
    queryKey: queryKeys.shareFromOwner(shareId),
    queryFn: () => fetchOwnShare(http, shareId),
    refetchInterval: ({ state }) => state.data?.waitsForScan !== undefined && SCAN_MS,
  })
  if (data && !data.waitsForScan) return null
  return (
    <Text size="sm" fw={600}>
      {t('myShares.waitsForScan')}
    </Text>
  )
}

/** Who was sent the link by email. */
function Recipients({ shareId }: { shareId: string }) {
  const { t } = useTranslation()
  const http = useHttp()
  const format = useFormat()
  const { user, settings } = useSession()
  const { data } = useQuery({
    queryKey: queryKeys.shareFromOwner(shareId),
    queryFn: () => fetchOwnShare(http, shareId),
    enabled:
      user !== null && settings['smtp.enabled'] && settings['email.enableShareEmailRecipients'],
  })
  if (!data || data.recipients.length === 0) return null
  return (
    <Text size="sm" c="dimmed" lineClamp={4} style={{ overflowWrap: 'anywhere' }}>
      {t('upload.completed.sentTo', { recipients: format.list(data.recipients) })}
    </Text>
  )
}

interface FinishedDialogProps {
  title: string
  onDone: () => void
  children: ReactNode
}

function FinishedDialog({ title, onDone, children }: FinishedDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      opened
      onClose={onDone}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={title}
    >
      <Stack gap="md">
        <Art scene="done" />
        {children}
        <Button size="md" variant="default" onClick={onDone}>
          {t('upload.completed.done')}
        </Button>
      </Stack>
    </Dialog>
  )
}

/** Left out where only the receiver may open it: its sender could not use it. */
function SentLink({ shareId, expiry }: { shareId: string; expiry: ReactNode }) {
  const http = useHttp()
  const { data: isPrivate } = useQuery({
    queryKey: queryKeys.isSharePrivate(shareId),
    queryFn: () => isSharePrivate(http, shareId),
  })
  if (isPrivate === undefined) return <Skeleton height={36} radius="md" />
  return isPrivate ? expiry : <FinishedLink shareId={shareId} expiry={expiry} />
}
