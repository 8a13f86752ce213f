import type { SharePage } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { ShareHead } from '../../features/share-view/components/ShareHead.tsx'
import { Page } from '../../shared/components/Page.tsx'
import { nameOf, summaryOf } from './share-texts.ts'
import { PlainShare } from './PlainShare.tsx'

/** What a share is, and how people without JavaScript get its files. */
export function SharePreview({ share }: { share: SharePage }) {
  const { t, i18n } = useTranslation()
  const known = share.contents ?? share.preview
  return (
    <Page>
      {known && (
        <ShareHead
          name={nameOf(share) ?? share.id}
          description={share.contents?.description}
          summary={summaryOf(known, i18n)}
          end={
            known.expiresAt === null
              ? t('share.neverExpires')
              : t('share.expiresOn', { date: formatUtc(known.expiresAt, i18n.language) })
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
