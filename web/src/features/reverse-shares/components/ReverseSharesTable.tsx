import { Button, UnstyledButton } from '@mantine/core'
import type { OwnReverseShare, ReceivedShare } from '@floe/contracts'
import {
  IconChevronDown,
  IconLink,
  IconLock,
  IconPencil,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { RowAction } from '../../../shared/components/RowAction.tsx'
import table from '../../../shared/components/cards-table.module.css'
import { useFormat } from '../../../shared/format/use-format.ts'
import { ReceivedShares } from './ReceivedShares.tsx'
import { keptUntilOf } from '../reverse-share-values.ts'
import classes from './ReverseSharesTable.module.css'

interface ReverseSharesTableProps {
  reverseShares: readonly OwnReverseShare[]
  onLink: (reverseShare: OwnReverseShare) => void
  onEdit: (reverseShare: OwnReverseShare) => void
  onDelete: (reverseShare: OwnReverseShare) => void
  /** Of a share that is encrypted. */
  onOpenReceived: (share: ReceivedShare, reverseShare: OwnReverseShare) => void
  onDeleteReceived: (share: ReceivedShare) => void
}

/** The account's links to send files through; on a phone each one is a card. */
export function ReverseSharesTable({ reverseShares, ...actions }: ReverseSharesTableProps) {
  const { t } = useTranslation()
  return (
    <Panel>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('reverseShares.columns.shares')}</th>
            <th scope="col">{t('reverseShares.columns.remainingUses')}</th>
            <th scope="col">{t('reverseShares.columns.maxSize')}</th>
            <th scope="col">{t('reverseShares.columns.expiresAt')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {reverseShares.map((reverseShare) => (
            <Row key={reverseShare.id} reverseShare={reverseShare} {...actions} />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

type RowProps = Omit<ReverseSharesTableProps, 'reverseShares'> & { reverseShare: OwnReverseShare }

function Row({ reverseShare, onOpenReceived, onDeleteReceived, ...actions }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const { shares, remainingUses } = reverseShare
  const keptUntil = keptUntilOf(reverseShare)
  const label = labelOf(reverseShare)
  return (
    <>
      <tr>
        <td className={classes.what}>
          <div className={classes.label}>
            <bdi>{label}</bdi>
            {reverseShare.hasPassword && (
              <IconLock className={classes.lock} size={15} aria-label={t('myShares.protected')} />
            )}
          </div>
          {shares.length === 0 ? (
            <span className={classes.none}>{t('reverseShares.received.none')}</span>
          ) : (
            <UnstyledButton
              className={classes.fold ?? ''}
              aria-expanded={isOpen}
              aria-controls={listId}
              onClick={() => setIsOpen(!isOpen)}
            >
              {t('reverseShares.received.count', { count: shares.length })}
              <IconChevronDown size={16} aria-hidden="true" />
            </UnstyledButton>
          )}
        </td>
        <td data-label={t('reverseShares.columns.remainingUses')}>
          {remainingUses === 0 ? (
            <span className={classes.mark}>{t('reverseShares.usedUp')}</span>
          ) : (
            format.count(remainingUses)
          )}
        </td>
        <td data-label={t('reverseShares.columns.maxSize')}>
          {format.size(Number(reverseShare.maxShareSize))}
        </td>
        <td data-label={t('reverseShares.columns.expiresAt')}>
          {keptUntil === undefined ? (
            format.date(new Date(reverseShare.shareExpiration))
          ) : (
            <span className={classes.kept}>
              {t('myShares.kept.until', { date: format.shortDate(new Date(keptUntil)) })}
            </span>
          )}
        </td>
        <td>
          <RowActions reverseShare={reverseShare} {...actions} />
        </td>
      </tr>
      {isOpen && shares.length > 0 && (
        <tr className={classes.received}>
          <td colSpan={5} className={classes.box}>
            <ReceivedShares
              id={listId}
              label={t('reverseShares.received.list', { name: label })}
              shares={shares}
              onOpen={(share) => onOpenReceived(share, reverseShare)}
              onDelete={onDeleteReceived}
            />
          </td>
        </tr>
      )}
    </>
  )
}

type RowActionsProps = Omit<RowProps, 'onOpenReceived' | 'onDeleteReceived'>

function RowActions({ reverseShare, onLink, onEdit, onDelete }: RowActionsProps) {
  const { t } = useTranslation()
  const name = labelOf(reverseShare)
  return (
    <div className={table.buttons}>
      {keptUntilOf(reverseShare) === undefined ? (
        <RowAction
          icon={IconLink}
          label={t('myShares.actions.link', { name })}
          onClick={() => onLink(reverseShare)}
        />
      ) : (
        <Button
          className={classes.revive ?? ''}
          variant="light"
          size="xs"
          leftSection={<IconRefresh size={16} />}
          aria-label={t('myShares.kept.actionOn', { name })}
          onClick={() => onEdit(reverseShare)}
        >
          {t('myShares.kept.action')}
        </Button>
      )}
      <RowAction
        icon={IconPencil}
        label={t('myShares.actions.edit', { name })}
        onClick={() => onEdit(reverseShare)}
      />
      <RowAction
        icon={IconTrash}
        label={t('myShares.actions.delete', { name })}
        onClick={() => onDelete(reverseShare)}
        isDangerous
      />
    </div>
  )
}

function labelOf({ name, token }: OwnReverseShare): string {
  return name ?? token
}
