import { ActionIcon, Badge, Checkbox } from '@mantine/core'
import '@mantine/core/styles/Badge.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import type { AdminShare } from '@floe/contracts'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../shared/components/CopyButton.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import table from '../../../shared/components/cards-table.module.css'
import { useFormat } from '../../../shared/format/use-format.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { expiryOf, shareLink } from '../../../shared/share-link.ts'
import type { ListState } from '../list-query.ts'
import classes from './AdminSharesTable.module.css'
import { SortHead } from './SortHead.tsx'

type Sort = 'createdAt' | 'id' | 'views' | 'expiration'

interface AdminSharesTableProps {
  shares: readonly AdminShare[]
  state: ListState<Sort>
  chosen: ReadonlySet<string>
  onSort: (sort: Sort, order: 'asc' | 'desc') => void
  onChoose: (ids: ReadonlySet<string>) => void
  onDelete: (share: AdminShare) => void
}

/** One row a share, whatever became of it; on a phone each one is a card. */
export function AdminSharesTable(props: AdminSharesTableProps) {
  const { shares, state, chosen, onSort, onChoose, onDelete } = props
  const { t } = useTranslation()
  const sorting = { state, onSort }
  const isEveryChosen = shares.every(({ id }) => chosen.has(id))

  function choose(id: string, isChosen: boolean) {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    onChoose(next)
  }

  return (
    <Panel>
      <table className={table.table}>
        <thead>
          <tr>
            <td className={classes.box}>
              <Checkbox
                aria-label={t('admin.shares.chooseAll')}
                checked={isEveryChosen}
                indeterminate={!isEveryChosen && shares.some(({ id }) => chosen.has(id))}
                onChange={() => onChoose(new Set(isEveryChosen ? [] : shares.map(({ id }) => id)))}
              />
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
              onChoose={(isChosen) => choose(share.id, isChosen)}
              onDelete={() => onDelete(share)}
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
  onChoose: (isChosen: boolean) => void
  onDelete: () => void
}

function Row({ share, isChosen, onChoose, onDelete }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useSession()
  const expiresAt = expiryOf(share.expiration)
  const deleteLabel = t('myShares.actions.delete', { name: share.id })
  const link = shareLink({
    shareId: share.id,
    appUrl: settings['general.appUrl'],
    origin: window.location.origin,
  })
  return (
    <tr data-chosen={isChosen || undefined} className={classes.row}>
      <td className={classes.box}>
        <label className={classes.choice}>
          <Checkbox
            aria-label={t('admin.shares.choose', { name: share.id })}
            checked={isChosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
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
      </td>
      <td data-label={t('admin.shares.columns.createdAt')} className={classes.date}>
        {format.shortDate(new Date(share.createdAt))}
      </td>
      <td>
        <div className={table.buttons}>
          <CopyButton text={link} label={t('myShares.actions.link', { name: share.id })} />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={deleteLabel}
            title={deleteLabel}
            onClick={onDelete}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </div>
      </td>
    </tr>
  )
}

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
  return share.state === 'reopened' ? badge('blue', t('admin.shares.state.reopened')) : null
}
