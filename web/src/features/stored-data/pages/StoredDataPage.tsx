import { Text, Title } from '@mantine/core'
import { dataEnds, dataKinds, type DataKind } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useSession } from '../../../shared/session/session.ts'
import classes from './StoredDataPage.module.css'

/** What the database keeps, kind by kind, as every table of it is told. */
export function Page() {
  const { t } = useTranslation()
  const endOf = useEnds()
  return (
    <PageColumn>
      <PageTitle>{t('storedData.title')}</PageTitle>
      <Title order={1} size="h2">
        {t('storedData.title')}
      </Title>
      <Text c="dimmed" mt={4} mb="lg">
        {t('storedData.intro')} {t('storedData.outside')}
      </Text>
      <Panel p="lg">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('storedData.columns.what')}</th>
              <th scope="col">{t('storedData.columns.until')}</th>
            </tr>
          </thead>
          <tbody>
            {dataKinds.map((kind) => (
              <tr key={kind}>
                <th scope="row">{t(`storedData.what.${kind}`)}</th>
                <td>{endOf(kind)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </PageColumn>
  )
}

function useEnds(): (kind: DataKind) => string {
  const { t } = useTranslation()
  const { settings } = useSession()
  const days = settings['general.auditRetention']
  return (kind) => {
    const end = dataEnds[kind]
    if (end !== 'audit') return t(`storedData.until.${end}`)
    return days === 0 ? t('storedData.until.forever') : t('storedData.until.audit', { count: days })
  }
}
