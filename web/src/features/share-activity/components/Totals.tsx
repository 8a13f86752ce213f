import type { ShareActivity } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { lastDownloadOf } from '../file-counts.ts'
import classes from './Totals.module.css'

/** The sums since the share was made. */
export function Totals({ activity }: { activity: ShareActivity }) {
  const { t } = useTranslation()
  const format = useFormat()
  const lastAt = lastDownloadOf(activity)
  return (
    <Panel>
      <dl className={classes.totals}>
        <div>
          <dt>{t('activity.views')}</dt>
          <dd>{format.count(activity.views.total)}</dd>
        </div>
        <div>
          <dt>{t('activity.downloads')}</dt>
          <dd>{format.count(activity.downloads.total)}</dd>
        </div>
        <div>
          <dt>{t('activity.lastDownload')}</dt>
          <dd data-text>{lastAt ? format.date(lastAt) : t('activity.none')}</dd>
        </div>
      </dl>
    </Panel>
  )
}
