import type { SharePage } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { ShareHead } from '../../features/share-view/components/ShareHead.tsx'
import { Page } from '../../shared/components/Page.tsx'
import { useFormat } from '../../shared/format/use-format.ts'
import { describePage, summaryOf } from './share-texts.ts'
import { PlainShare } from './PlainShare.tsx'

/** What a share is, and how people without JavaScript get its files. */
export function SharePreview({ share }: { share: SharePage }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const known = share.contents ?? share.preview
  const described = describePage(share, i18n)
  return (
    <Page>
      {known && described && (
        <ShareHead
          name={described.heading}
          description={share.contents?.description}
          sender={described.sender}
          summary={summaryOf(known, i18n)}
          end={
            known.expiresAt === null ? (
              t('share.neverExpires')
            ) : (
              <time dateTime={known.expiresAt} title={formatUtc(known.expiresAt, i18n.language)}>
                {t('share.expires', { time: format.timeLeft(new Date(known.expiresAt)) })}
              </time>
            )
          }
        />
      )}
      <noscript>
        <div className="plain">
          <PlainShare share={share} />
        </div>
      </noscript>
    </Page>
  )
}

/** Nobody told the server the visitor's time zone. */
function formatUtc(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, {
    ...{ year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    ...{ timeZone: 'UTC', timeZoneName: 'short' },
  }).format(new Date(iso))
}
