import { ActionIcon } from '@mantine/core'
import type { OwnShare } from '@floe/contracts'
import {
  IconChartBar,
  IconInfoCircle,
  IconLink,
  IconLock,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import table from '../../../shared/components/cards-table.module.css'
import { useFormat } from '../../../shared/format/use-format.ts'
import { paths } from '../../../shared/paths.ts'
import { expiryOf } from '../../../shared/share-link.ts'
import classes from './SharesTable.module.css'

interface SharesTableProps {
  shares: readonly OwnShare[]
  onInfo: (share: OwnShare) => void
  onLink: (share: OwnShare) => void
  onDelete: (share: OwnShare) => void
}

/** The account's shares; on a phone each one is a card. */
export function SharesTable({ shares, ...actions }: SharesTableProps) {
  const { t } = useTranslation()
  return (
    <Panel>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('myShares.columns.id')}</th>
            <th scope="col">{t('myShares.columns.name')}</th>
            <th scope="col">{t('myShares.columns.description')}</th>
            <th scope="col">{t('myShares.columns.visitors')}</th>
            <th scope="col">{t('myShares.columns.expiresAt')}</th>
            <th scope="col">{t('myShares.columns.createdAt')}</th>
            <th scope="col">{t('myShares.columns.size')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {shares.map((share) => (
            <Row key={share.id} share={share} {...actions} />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function Row({
  share,
  onInfo,
  onLink,
  onDelete,
}: Omit<SharesTableProps, 'shares'> & { share: OwnShare }) {
  const { t } = useTranslation()
  const format = useFormat()
  const expiresAt = expiryOf(share.expiration)
  const { maxViews, passwordProtected } = share.security
  const label = share.name ?? share.id
  const buttons = [
    {
      text: t('myShares.actions.info', { name: label }),
      icon: IconInfoCircle,
      act: () => onInfo(share),
    },
    { text: t('myShares.actions.link', { name: label }), icon: IconLink, act: () => onLink(share) },
  ]
  return (
    <tr>
      <td data-label={t('myShares.columns.id')}>
        <span className={classes.link}>
          <PageLink to={paths.share(share.id)} className={classes.id}>
            {share.id}
          </PageLink>
          {passwordProtected && (
            <IconLock className={classes.lock} size={15} aria-label={t('myShares.protected')} />
          )}
        </span>
      </td>
      <td data-label={t('myShares.columns.name')} className={classes.name}>
        <bdi>{share.name}</bdi>
      </td>
      <td data-label={t('myShares.columns.description')} className={classes.text}>
        <span className={classes.description}>{share.description}</span>
      </td>
      <td data-label={t('myShares.columns.visitors')}>
        {maxViews
          ? t('myShares.visitorsOf', {
              visitors: format.count(share.views),
              max: format.count(maxViews),
            })
          : format.count(share.views)}
      </td>
      <td data-label={t('myShares.columns.expiresAt')} className={classes.date}>
        {expiresAt ? format.shortDate(expiresAt) : t('share.never')}
      </td>
      <td data-label={t('myShares.columns.createdAt')} className={classes.date}>
        {format.shortDate(new Date(share.createdAt))}
      </td>
      <td data-label={t('myShares.columns.size')}>{format.size(share.size)}</td>
      <td>
        <div className={table.buttons}>
          {buttons.map(({ text, icon: Icon, act }) => (
            <ActionIcon
              key={text}
              variant="subtle"
              size="lg"
              aria-label={text}
              title={text}
              onClick={act}
            >
              <Icon size={18} />
            </ActionIcon>
          ))}
          <ActionIcon
            component={PageLink}
            to={paths.shareActivity(share.id)}
            variant="subtle"
            size="lg"
            aria-label={t('activity.of', { name: label })}
            title={t('activity.of', { name: label })}
          >
            <IconChartBar size={18} />
          </ActionIcon>
          <ActionIcon
            component={PageLink}
            to={paths.editShare(share.id)}
            variant="subtle"
            size="lg"
            aria-label={t('myShares.actions.edit', { name: label })}
            title={t('myShares.actions.edit', { name: label })}
          >
            <IconPencil size={18} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={t('myShares.actions.delete', { name: label })}
            title={t('myShares.actions.delete', { name: label })}
            onClick={() => onDelete(share)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </div>
      </td>
    </tr>
  )
}
