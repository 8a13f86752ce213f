import { Text, Title } from '@mantine/core'
import type { ScanReport } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'

/** What the virus scanner has found and what waits for it. `null`: nobody can say. */
export function Antivirus({ report }: { report: ScanReport | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {t('overview.antivirus.title')}
      </Title>
      <Panel>
        {report !== null && (
          <Text p="lg">
            {t('overview.antivirus.counts', {
              waiting: format.count(report.waiting),
              infected: format.count(report.infected),
              tooBig: format.count(report.tooBig),
            })}
          </Text>
        )}
        {!report?.isReachable && (
          <Text p="lg" c="red" role="status">
            {t('overview.antivirus.away')}
          </Text>
        )}
      </Panel>
    </section>
  )
}
