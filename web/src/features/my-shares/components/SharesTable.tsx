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
import { RowAction } from '../../../shared/components/RowAction.tsx'
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

type RowProps = Omit<SharesTableProps, 'shares'> & { share: OwnShare }

function Row({ share, ...actions }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const expiresAt = expiryOf(share.expiration)
  const { maxViews, passwordProtected } = share.security
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
        <RowActions share={share} {...actions} />
      </td>
    </tr>
  )
}

function RowActions({ share, onInfo, onLink, onDelete }: RowProps) {
  const { t } = useTranslation()
  const name = share.name ?? share.id
  return (
    <div className={table.buttons}>
      <RowAction
        icon={IconInfoCircle}
        label={t('myShares.actions.info', { name })}
        onClick={() => onInfo(share)}
      />
      <RowAction
        icon={IconLink}
        label={t('myShares.actions.link', { name })}
        onClick={() => onLink(share)}
      />
      <RowAction
        icon={IconChartBar}
        label={t('activity.of', { name })}
        to={paths.shareActivity(share.id)}
      />
      <RowAction
        icon={IconPencil}
        label={t('myShares.actions.edit', { name })}
        to={paths.editShare(share.id)}
      />
      <RowAction
        icon={IconTrash}
        label={t('myShares.actions.delete', { name })}
        onClick={() => onDelete(share)}
        isDangerous
      />
    </div>
  )
}
