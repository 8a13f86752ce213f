import { Text, Title } from '@mantine/core'
import type { AuditEntry } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { paths } from '../../../shared/paths.ts'
import { useAuditTexts } from '../audit/use-audit-texts.ts'
import classes from './LatestEvents.module.css'

/** The latest audit events. */
export function LatestEvents({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation()
  const texts = useAuditTexts()
  return (
    <section className={classes.section}>
      <div className={classes.head}>
        <Title order={2} size="h4">
          {t('overview.latest')}
        </Title>
        <PageLink to={paths.adminAudit}>{t('overview.allEntries')}</PageLink>
      </div>
      <Panel>
        {entries.length === 0 ? (
          <Text c="dimmed" p="lg">
            {t('overview.nothingYet')}
          </Text>
        ) : (
          <ul className={classes.list}>
            {entries.map((entry) => (
              <li key={entry.id}>
                <span>
                  <strong>{texts.action(entry.action)}</strong> <bdi>{texts.target(entry)}</bdi>
                </span>
                <span className={classes.by}>
                  <bdi>{texts.actor(entry)}</bdi>
                  <time dateTime={entry.at}>{texts.moment(entry)}</time>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </section>
  )
}
