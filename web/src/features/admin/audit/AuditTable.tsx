import type { AuditEntry } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import table from '../../../shared/components/cards-table.module.css'
import classes from './AuditTable.module.css'
import { useAuditTexts } from './use-audit-texts.ts'

/** One row an entry; on a phone each one is a card. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation()
  return (
    <Panel>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('audit.columns.action')}</th>
            <th scope="col">{t('audit.columns.target')}</th>
            <th scope="col">{t('audit.columns.actor')}</th>
            <th scope="col">{t('audit.columns.address')}</th>
            <th scope="col">{t('audit.columns.at')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function Row({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  const texts = useAuditTexts()
  const details = texts.details(entry)
  const { address, userAgent } = entry.actor
  return (
    <tr>
      <td className={classes.action}>
        <span>
          {texts.action(entry.action)}
          {details !== '' && <span className={classes.details}>{details}</span>}
        </span>
      </td>
      <td data-label={t('audit.columns.target')} className={classes.name}>
        <bdi>{texts.target(entry)}</bdi>
      </td>
      <td data-label={t('audit.columns.actor')} className={classes.name}>
        <bdi data-unknown={entry.actor.name === null || undefined}>{texts.actor(entry)}</bdi>
      </td>
      <td data-label={t('audit.columns.address')} className={classes.name}>
        <bdi title={userAgent}>{address}</bdi>
      </td>
      <td data-label={t('audit.columns.at')} className={classes.at}>
        <time dateTime={entry.at}>{texts.moment(entry)}</time>
      </td>
    </tr>
  )
}
