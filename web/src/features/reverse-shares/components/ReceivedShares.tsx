import { ActionIcon, Text } from '@mantine/core'
import type { ReceivedShare } from '@floe/contracts'
import { IconChartBar, IconDownload, IconLock, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LinkedText } from '../../../shared/components/LinkedText.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { paths } from '../../../shared/paths.ts'
import { useDownload } from '../use-download.ts'
import classes from './ReceivedShares.module.css'

interface ReceivedSharesProps {
  id: string
  /** Whose list it is. */
  label: string
  shares: readonly ReceivedShare[]
  onDelete: (share: ReceivedShare) => void
}

/** What was sent through one link. */
export function ReceivedShares({ id, label, shares, onDelete }: ReceivedSharesProps) {
  return (
    <ul id={id} className={classes.list} aria-label={label}>
      {shares.map((share) => (
        <Row key={share.id} share={share} onDelete={() => onDelete(share)} />
      ))}
    </ul>
  )
}

function useSender({ creator, senderName }: ReceivedShare): string {
  const { t } = useTranslation()
  if (creator) return t('reverseShares.received.from', { name: creator.username })
  return senderName
    ? t('reverseShares.received.fromGuest', { name: senderName })
    : t('reverseShares.received.fromUnknown')
}

interface RowProps {
  share: ReceivedShare
  onDelete: () => void
}

function Row({ share, onDelete }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const sender = useSender(share)
  const name = share.name ?? share.id
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <span>
          {share.keptUntil ? (
            // Its link ended, and with it what it brought.
            <span className={classes.name} data-kept>
              <bdi>{name}</bdi>
            </span>
          ) : (
            <PageLink
              to={paths.share(share.id)}
              className={classes.name}
              aria-label={t('reverseShares.received.open', { name })}
            >
              <bdi>{name}</bdi>
            </PageLink>
          )}
          {share.hasPassword && (
            <IconLock className={classes.lock} size={15} aria-label={t('myShares.protected')} />
          )}
        </span>
        <Text size="sm" c="dimmed">
          <bdi>{sender}</bdi>
          {' · '}
          {format.shortDate(new Date(share.createdAt))}
          {' · '}
          {t('share.summary', { count: share.fileCount, size: format.size(share.size) })}
        </Text>
        {share.waitsForScan && <span className={classes.waits}>{t('myShares.waitsForScan')}</span>}
        {share.description && (
          <Text size="sm" className={classes.description} lineClamp={3}>
            <LinkedText text={share.description} />
          </Text>
        )}
      </div>
      <Buttons share={share} onDelete={onDelete} />
    </li>
  )
}

function Buttons({ share, onDelete }: RowProps) {
  const { t } = useTranslation()
  const download = useDownload()
  const name = share.name ?? share.id
  const labels = {
    download: t('reverseShares.received.download', { name }),
    activity: t('activity.of', { name }),
    delete: t('myShares.actions.delete', { name }),
  }
  return (
    <div className={classes.buttons}>
      {!share.keptUntil && (
        <>
          <ActionIcon
            variant="light"
            size="lg"
            aria-label={labels.download}
            title={labels.download}
            loading={download.isPending}
            onClick={() => download.mutate(share)}
          >
            <IconDownload size={18} />
          </ActionIcon>
          <ActionIcon
            component={PageLink}
            to={paths.shareActivity(share.id)}
            variant="subtle"
            size="lg"
            aria-label={labels.activity}
            title={labels.activity}
          >
            <IconChartBar size={18} />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        aria-label={labels.delete}
        title={labels.delete}
        onClick={onDelete}
      >
        <IconTrash size={18} />
      </ActionIcon>
    </div>
  )
}
