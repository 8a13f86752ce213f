import { ActionIcon, Text, UnstyledButton } from '@mantine/core'
import type { ReceivedShare } from '@floe/contracts'
import { IconChartBar, IconDownload, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react'
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
  /** Of one that is encrypted. */
  onOpen: (share: ReceivedShare) => void
  onDelete: (share: ReceivedShare) => void
}

/** What was sent through one link. */
export function ReceivedShares({ id, label, shares, onOpen, onDelete }: ReceivedSharesProps) {
  return (
    <ul id={id} className={classes.list} aria-label={label}>
      {shares.map((share) => (
        <Row
          key={share.id}
          share={share}
          onOpen={() => onOpen(share)}
          onDelete={() => onDelete(share)}
        />
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
  onOpen: () => void
  onDelete: () => void
}

function Row({ share, onOpen, onDelete }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const sender = useSender(share)
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <span>
          <Name share={share} onOpen={onOpen} />
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
      <Buttons share={share} onOpen={onOpen} onDelete={onDelete} />
    </li>
  )
}

function Name({ share, onOpen }: Pick<RowProps, 'share' | 'onOpen'>) {
  const { t } = useTranslation()
  const name = share.name ?? share.id
  const label = t('reverseShares.received.open', { name })
  const text = <bdi>{name}</bdi>
  if (share.keptUntil) {
    // Its link ended, and with it what it brought.
    return (
      <span className={classes.name} data-kept>
        {text}
      </span>
    )
  }
  return share.sealedKey ? (
    <UnstyledButton className={classes.name ?? ''} aria-label={label} onClick={onOpen}>
      {text}
    </UnstyledButton>
  ) : (
    <PageLink to={paths.share(share.id)} className={classes.name} aria-label={label}>
      {text}
    </PageLink>
  )
}

function Buttons({ share, onOpen, onDelete }: RowProps) {
  const { t } = useTranslation()
  const download = useDownload()
  const name = share.name ?? share.id
  const isSealed = share.sealedKey !== undefined
  const labels = {
    get: t(isSealed ? 'reverseShares.sealed.openTitle' : 'reverseShares.received.download', {
      name,
    }),
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
            aria-label={labels.get}
            title={labels.get}
            loading={download.isPending}
            onClick={isSealed ? onOpen : () => download.mutate(share)}
          >
            {isSealed ? <IconLockOpen size={18} /> : <IconDownload size={18} />}
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
