import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import type { OwnShare } from '@floe/contracts'
import {
  IconChartBar,
  IconInfoCircle,
  IconLink,
  IconLock,
  IconPencil,
  IconShieldLock,
  IconTrash,
  IconUserCheck,
  type Icon,
} from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { type Dispatch, memo, type SetStateAction, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../shared/components/CopyButton.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { RowAction } from '../../../shared/components/RowAction.tsx'
import table from '../../../shared/components/cards-table.module.css'
import { type Format, useFormat } from '../../../shared/format/use-format.ts'
import { paths } from '../../../shared/paths.ts'
import type { ListState } from '../../../shared/list/list-query.ts'
import { ChooseAll, withChoice } from '../../../shared/list/ChooseAll.tsx'
import { SortHead } from '../../../shared/list/SortHead.tsx'
import { ReviveButton } from '../../../shared/share/ReviveButton.tsx'
import { expiryOf } from '../../../shared/share-link.ts'
import { useShareLink } from '../../../shared/share/use-share-link.ts'
import type { ShareSort } from '../arrange-shares.ts'
import classes from './SharesTable.module.css'

interface SharesTableProps {
  shares: readonly OwnShare[]
  state: Pick<ListState<ShareSort>, 'sort' | 'order'>
  chosen: ReadonlySet<string>
  onSort: (sort: ShareSort, order: 'asc' | 'desc') => void
  onChoose: Dispatch<SetStateAction<ReadonlySet<string>>>
  onDialog: (dialog: ShareDialog) => void
}

export interface ShareDialog {
  kind: 'info' | 'link' | 'delete'
  share: OwnShare
}

/** The account's shares; on a phone each one is a card. */
export function SharesTable(props: SharesTableProps) {
  const { shares, state, chosen, onSort, onChoose, onDialog } = props
  const { t } = useTranslation()
  const format = useFormat()
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
            <SortHead by="id" label={t('myShares.columns.id')} {...sorting} />
            <SortHead by="name" label={t('myShares.columns.name')} {...sorting} />
            <th scope="col">{t('myShares.columns.description')}</th>
            <SortHead by="views" label={t('myShares.columns.visitors')} {...sorting} />
            <SortHead by="expiration" label={t('myShares.columns.expiresAt')} {...sorting} />
            <SortHead by="createdAt" label={t('myShares.columns.createdAt')} {...sorting} />
            <SortHead by="size" label={t('myShares.columns.size')} {...sorting} />
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
              onDialog={onDialog}
              t={t}
              format={format}
            />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

interface ActionsProps {
  share: OwnShare
  onDialog: (dialog: ShareDialog) => void
  t: TFunction
}

interface RowProps extends ActionsProps {
  isChosen: boolean
  onChosen: (id: string, isChosen: boolean) => void
  format: Format
}

/** Remembered: what is done to one share leaves the others as they are. */
const Row = memo(function Row({ share, isChosen, onChosen, onDialog, t, format }: RowProps) {
  const expiresAt = expiryOf(share.expiration)
  const { maxViews } = share.security
  // Its link leads nowhere meanwhile.
  const target = share.keptUntil ? paths.editShare(share.id) : paths.share(share.id)
  return (
    <tr data-chosen={isChosen || undefined} className={classes.row}>
      <td className={classes.box}>
        <label className={classes.choice}>
          <Checkbox
            aria-label={t('admin.shares.choose', { name: share.name ?? share.id })}
            checked={isChosen}
            onChange={(event) => onChosen(share.id, event.currentTarget.checked)}
          />
        </label>
      </td>
      <td data-label={t('myShares.columns.id')} className={classes.link}>
        <span>
          <PageLink to={target} className={classes.open}>
            {share.id}
          </PageLink>
          <Marks share={share} />
        </span>
        <Standing share={share} />
      </td>
      <td data-label={t('myShares.columns.name')} className={classes.name}>
        {share.name !== null && (
          <>
            <span>
              <PageLink to={target} className={classes.open}>
                <bdi>{share.name}</bdi>
              </PageLink>
              <Marks share={share} />
            </span>
            <Standing share={share} />
          </>
        )}
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
        {share.keptUntil ? (
          <span className={classes.kept}>
            {t('myShares.kept.until', { date: format.shortDate(new Date(share.keptUntil)) })}
          </span>
        ) : expiresAt ? (
          format.shortDate(expiresAt)
        ) : (
          t('share.never')
        )}
      </td>
      <td data-label={t('myShares.columns.createdAt')} className={classes.created}>
        {format.shortDate(new Date(share.createdAt))}
      </td>
      <td data-label={t('myShares.columns.size')} className={classes.size}>
        {format.size(share.size)}
      </td>
      <td>
        <RowActions share={share} onDialog={onDialog} t={t} />
      </td>
    </tr>
  )
})

/** How far the upload of an open share is. */
function Arrived({ files, coming }: { files: number; coming: number }) {
  const { t } = useTranslation()
  return (
    <span className={classes.arrived}>
      {t('upload.progress.title', { done: files, count: files + coming })}
    </span>
  )
}

/** Why its link does not lead to all of it yet. */
function Standing({ share }: { share: OwnShare }) {
  const { t } = useTranslation()
  return (
    <>
      {share.coming && <Arrived files={share.files.length} coming={share.coming.fileCount} />}
      {share.waitsForScan && <span className={classes.arrived}>{t('myShares.waitsForScan')}</span>}
    </>
  )
}

/** Who cannot simply open it. They stand at what a share is called: its name on phones, else its link. */
function Marks({ share: { security, encrypted } }: { share: OwnShare }) {
  const { t } = useTranslation()
  return (
    <>
      {encrypted && <Mark icon={IconShieldLock} label={t('upload.encryption.on')} />}
      {security.passwordProtected && <Mark icon={IconLock} label={t('myShares.protected')} />}
      {security.restrictToRecipients && (
        <Mark icon={IconUserCheck} label={t('share.recipient.title')} />
      )}
    </>
  )
}

function Mark({ icon: Icon, label }: { icon: Icon; label: string }) {
  return <Icon className={classes.mark} size={15} role="img" aria-label={label} title={label} />
}

/** Remembered: choosing a share leaves them as they are. */
const RowActions = memo(function RowActions({ share, onDialog, t }: ActionsProps) {
  const name = share.name ?? share.id
  const link = useShareLink(share.id)
  return (
    <div className={table.buttons}>
      {share.keptUntil ? (
        <span className={classes.revive}>
          <ReviveButton share={share} />
        </span>
      ) : (
        <span className={classes.copy}>
          <CopyButton label={t('common.copyLink')} text={link} isWide />
        </span>
      )}
      <div className={classes.icons}>
        <RowAction
          icon={IconInfoCircle}
          label={t('myShares.actions.info', { name })}
          onClick={() => onDialog({ kind: 'info', share })}
        />
        {!share.keptUntil && (
          <span className={classes.showLink}>
            <RowAction
              icon={IconLink}
              label={t('myShares.actions.link', { name })}
              onClick={() => onDialog({ kind: 'link', share })}
            />
          </span>
        )}
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
          onClick={() => onDialog({ kind: 'delete', share })}
          isDangerous
        />
      </div>
    </div>
  )
})
