import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
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
import { useShareLink } from '../../../shared/share/use-share-link.ts'
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
  const plainLink = useShareLink(id)
  // Told only of what went through a reverse share.
  if (isNotified !== undefined) {
    return (
      <FinishedDialog title={t('send.done.title')} onDone={onDone}>
        <Text size="sm">{t(textOfSent(receipt))}</Text>
        <SentLink
          shareId={id}
          link={plainLink}
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
  const link = encryption?.linkOf(plainLink) ?? plainLink
  return (
    <FinishedDialog title={t('upload.completed.title')} onDone={onDone}>
      <FinishedLink
        link={link}
        expiry={
          <Stack gap={4}>
            {waitsForScan && <ScanWait shareId={id} />}
            <Text size="sm" c="dimmed">
              {expiresAt
                ? t('share.expiresOn', { date: format.date(expiresAt) })
                : t('share.neverExpires')}
            </Text>
            <Recipients shareId={id} linkWithKey={encryption && link} />
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

interface RecipientsProps {
  shareId: string
  /** Of an encrypted share: what the server could not send them. */
  linkWithKey: string | null
}

/** Who was sent the link by email. */
function Recipients({ shareId, linkWithKey }: RecipientsProps) {
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
    <>
      <Text size="sm" c="dimmed" lineClamp={4} style={{ overflowWrap: 'anywhere' }}>
        {t('upload.completed.sentTo', { recipients: format.list(data.recipients) })}
      </Text>
      {linkWithKey && (
        <>
          <Text size="sm">{t('upload.recipients.hintWithoutKey')}</Text>
          <Button
            variant="default"
            my="xs"
            component="a"
            href={emailOf(data.recipients, linkWithKey)}
            leftSection={<IconMail size={17} />}
          >
            {t('upload.completed.writeEmail')}
          </Button>
        </>
      )}
    </>
  )
}

/** A message that the program for email of the device has still to be told to send (RFC 6068). */
function emailOf(recipients: readonly string[], text: string): string {
  const to = recipients.map((address) => address.split('@').map(encodeURIComponent).join('@'))
  return `mailto:${to.join(',')}?body=${encodeURIComponent(text)}`
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

interface SentLinkProps {
  shareId: string
  link: string
  expiry: ReactNode
}

/** Left out where only the receiver may open it: its sender could not use it. */
function SentLink({ shareId, link, expiry }: SentLinkProps) {
  const http = useHttp()
  const { data: isPrivate } = useQuery({
    queryKey: queryKeys.isSharePrivate(shareId),
    queryFn: () => isSharePrivate(http, shareId),
  })
  if (isPrivate === undefined) return <Skeleton height={36} radius="md" />
  return isPrivate ? expiry : <FinishedLink link={link} expiry={expiry} />
}
