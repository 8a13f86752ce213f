import { ActionIcon, Badge } from '@mantine/core'
import '@mantine/core/styles/Badge.layer.css'
import type { StorageUse, UserView } from '@floe/contracts'
import {
  IconCheck,
  IconChecklist,
  IconKey,
  IconPencil,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import table from '../../../shared/components/cards-table.module.css'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { ListState } from '../../../shared/list/list-query.ts'
import { SortHead } from '../../../shared/list/SortHead.tsx'
import classes from './UsersTable.module.css'

type Sort = 'createdAt' | 'username' | 'email'

interface UsersTableProps {
  users: readonly UserView[]
  /** Null until it is known. */
  storageUse: readonly StorageUse[] | null
  state: ListState<Sort>
  onSort: (sort: Sort, order: 'asc' | 'desc') => void
  onEdit: (user: UserView) => void
  onApprove: (user: UserView) => void
  onRules: (user: UserView) => void
  onTokens: (user: UserView) => void
  onDelete: (user: UserView) => void
}

/** One row an account; on a phone each one is a card. */
export function UsersTable({ users, storageUse, state, onSort, ...actions }: UsersTableProps) {
  const { t } = useTranslation()
  const used = new Map(storageUse?.map(({ userId, usedBytes }) => [userId, usedBytes]))
  return (
    <Panel>
      <table className={table.table}>
        <thead>
          <tr>
            <SortHead
              by="username"
              label={t('admin.users.columns.username')}
              state={state}
              onSort={onSort}
            />
            <SortHead
              by="email"
              label={t('admin.users.columns.email')}
              state={state}
              onSort={onSort}
            />
            <th scope="col">{t('admin.users.columns.admin')}</th>
            <th scope="col">{t('admin.users.columns.totp')}</th>
            <th scope="col">{t('admin.users.columns.storage')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <Row
              key={user.id}
              user={user}
              usedBytes={storageUse && (used.get(user.id) ?? 0)}
              {...actions}
            />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

interface Action {
  label: string
  Icon: typeof IconKey
  run: (user: UserView) => void
  color?: string
}

function Row({
  user,
  usedBytes,
  onEdit,
  onApprove,
  onRules,
  onTokens,
  onDelete,
}: Pick<UsersTableProps, 'onEdit' | 'onApprove' | 'onRules' | 'onTokens' | 'onDelete'> & {
  user: UserView
  usedBytes: number | null
}) {
  const { t } = useTranslation()
  const { username: name } = user
  const actions: Action[] = [
    { label: t('admin.users.edit', { name }), Icon: IconPencil, run: onEdit },
    { label: t('admin.users.rules', { name }), Icon: IconChecklist, run: onRules },
    { label: t('admin.users.tokens', { name }), Icon: IconKey, run: onTokens },
    { label: t('admin.users.delete', { name }), Icon: IconTrash, run: onDelete, color: 'red' },
  ]
  if (user.isWaiting) {
    const label = t('admin.users.approve', { name })
    actions.unshift({ label, Icon: IconUserCheck, run: onApprove, color: 'green' })
  }
  return (
    <tr>
      <td className={classes.name}>
        <bdi>{user.username}</bdi>
        {user.isWaiting && (
          <Badge variant="light" color="yellow" className={classes.waiting}>
            {t('admin.users.waiting')}
          </Badge>
        )}
      </td>
      <td data-label={t('admin.users.columns.email')} className={classes.email}>
        <bdi>{user.email}</bdi>
      </td>
      <td data-label={t('admin.users.columns.admin')}>{user.isAdmin && <Tick />}</td>
      <td data-label={t('admin.users.columns.totp')}>
        {(user.totpVerified || user.hasPasskeys) && <Tick />}
      </td>
      <td data-label={t('admin.users.columns.storage')}>
        <StorageUsed usedBytes={usedBytes} limitBytes={user.storageLimit} />
      </td>
      <td>
        <div className={table.buttons}>
          {actions.map(({ label, Icon, run, color }) => (
            <ActionIcon
              key={label}
              variant="subtle"
              {...(color && { color })}
              size="lg"
              aria-label={label}
              title={label}
              onClick={() => run(user)}
            >
              <Icon size={18} />
            </ActionIcon>
          ))}
        </div>
      </td>
    </tr>
  )
}

function StorageUsed({
  usedBytes,
  limitBytes,
}: {
  usedBytes: number | null
  limitBytes: UserView['storageLimit']
}) {
  const { t } = useTranslation()
  const format = useFormat()
  // Keeps its line: on phones a cell without anything in it is left out.
  if (usedBytes === null) return '\u00A0'
  const used = format.size(usedBytes)
  return limitBytes ? t('admin.users.usedOf', { used, limit: format.size(limitBytes) }) : used
}

function Tick() {
  const { t } = useTranslation()
  return <IconCheck className={classes.tick} size={18} aria-label={t('admin.users.yes')} />
}
