import { ActionIcon, Badge, Checkbox } from '@mantine/core'
import '@mantine/core/styles/Badge.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import type { AdminShare } from '@floe/contracts'
import { IconTrash } from '@tabler/icons-react'
import { type Dispatch, memo, type SetStateAction, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../shared/components/CopyButton.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import table from '../../../shared/components/cards-table.module.css'
import { useFormat } from '../../../shared/format/use-format.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { ReviveButton } from '../../../shared/share/ReviveButton.tsx'
import { expiryOf } from '../../../shared/share-link.ts'
import { useShareLink } from '../../../shared/share/use-share-link.ts'
import { ChooseAll, withChoice } from '../../../shared/list/ChooseAll.tsx'
import type { ListState } from '../../../shared/list/list-query.ts'
import classes from './AdminSharesTable.module.css'
import { OpenShareButton } from './OpenShareButton.tsx'
import { SortHead } from '../../../shared/list/SortHead.tsx'

type Sort = 'createdAt' | 'id' | 'views' | 'expiration'

interface AdminSharesTableProps {
  shares: readonly AdminShare[]
  state: ListState<Sort>
  chosen: ReadonlySet<string>
  onSort: (sort: Sort, order: 'asc' | 'desc') => void
  onChoose: Dispatch<SetStateAction<ReadonlySet<string>>>
  onDelete: (share: AdminShare) => void
}

/** One row a share, whatever became of it; on a phone each one is a card. */
export function AdminSharesTable(props: AdminSharesTableProps) {
  const { shares, state, chosen, onSort, onChoose, onDelete } = props
  const { t } = useTranslation()
  const sorting = { state, onSort }
  const onChosen = useCallback(
    (id: string, isChosen: boolean) => onChoose((ids) => withChoice(ids, id, isChosen)),
    [onChoose],
  )

  return (
    <Panel>
      <table className={table.table}>
        <thead>
          <tr>
            <td className={classes.box}>
              <ChooseAll ids={shares.map(({ id }) => id)} chosen={chosen} onChoose={onChoose} />
            </td>
            <SortHead by="id" label={t('admin.shares.columns.id')} {...sorting} />
            <th scope="col">{t('admin.shares.columns.creator')}</th>
            <SortHead by="views" label={t('admin.shares.columns.visitors')} {...sorting} />
            <th scope="col">{t('admin.shares.columns.size')}</th>
            <SortHead by="expiration" label={t('admin.shares.columns.expiresAt')} {...sorting} />
            <SortHead by="createdAt" label={t('admin.shares.columns.createdAt')} {...sorting} />
            <td />
          </tr>
        </thead>
        <tbody>
          {shares.map((share) => (
            <Row
              key={share.id}
              share={share}
              isChosen={chosen.has(share.id)}
              onChosen={onChosen}
              onDelete={onDelete}
            />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

interface RowProps {
  share: AdminShare
  isChosen: boolean
  onChosen: (id: string, isChosen: boolean) => void
  onDelete: (share: AdminShare) => void
}

/** Remembered: what is done to one share leaves the others as they are. */
const Row = memo(function Row({ share, isChosen, onChosen, onDelete }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useSession()
  const expiresAt = expiryOf(share.expiration)
  const deleteLabel = t('myShares.actions.delete', { name: share.id })
  const link = useShareLink(share.id)
  return (
    <tr data-chosen={isChosen || undefined} className={classes.row}>
      <td className={classes.box}>
        <label className={classes.choice}>
          <Checkbox
            aria-label={t('admin.shares.choose', { name: share.id })}
            checked={isChosen}
            onChange={(event) => onChosen(share.id, event.currentTarget.checked)}
          />
        </label>
      </td>
      <td className={classes.what}>
        <span className={classes.heading}>
          <PageLink to={paths.share(share.id)} className={classes.id}>
            {share.id}
          </PageLink>
          <State share={share} expiresAt={expiresAt} />
        </span>
        {share.name !== null && (
          <span className={classes.name}>
            <bdi>{share.name}</bdi>
          </span>
        )}
      </td>
      <td data-label={t('admin.shares.columns.creator')} className={classes.creator}>
        <bdi>{share.creator?.username ?? t('admin.shares.anonymous')}</bdi>
      </td>
      <td data-label={t('admin.shares.columns.visitors')}>{format.count(share.views)}</td>
      <td data-label={t('admin.shares.columns.size')} className={classes.date}>
        {format.size(share.size)}
      </td>
      <td data-label={t('admin.shares.columns.expiresAt')} className={classes.date}>
        {expiresAt ? format.shortDate(expiresAt) : t('share.never')}
        {share.waitsForScan && <span className={classes.kept}>{t('myShares.waitsForScan')}</span>}
        {share.keptUntil && (
          <span className={classes.kept}>
            {t('admin.shares.keptUntil', { date: format.shortDate(new Date(share.keptUntil)) })}
          </span>
        )}
      </td>
      <td data-label={t('admin.shares.columns.createdAt')} className={classes.date}>
        {format.shortDate(new Date(share.createdAt))}
      </td>
      <td>
        <div className={table.buttons}>
          {share.keptUntil && !share.viaReverseShare && (
            <span className={classes.revive}>
              <ReviveButton share={share} />
            </span>
          )}
          {settings['share.allowAdminAccessAllShares'] && !share.keptUntil && (
            <OpenShareButton shareId={share.id} />
          )}
          <CopyButton text={link} label={t('myShares.actions.link', { name: share.id })} />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={deleteLabel}
            title={deleteLabel}
            onClick={() => onDelete(share)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </div>
      </td>
    </tr>
  )
})

/** Says what keeps visitors from a share, or that more is coming. */
function State({ share, expiresAt }: { share: AdminShare; expiresAt: Date | null }) {
  const { t } = useTranslation()
  const badge = (color: string, text: string) => (
    <Badge variant="light" color={color} size="sm">
      {text}
    </Badge>
  )
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    return badge('red', t('admin.shares.state.expired'))
  }
  if (share.state === 'open') return badge('yellow', t('admin.shares.state.open'))
  if (share.state === 'uploading') return badge('ice', t('admin.shares.state.uploading'))
  return share.state === 'reopened' ? badge('ice', t('admin.shares.state.reopened')) : null
}
