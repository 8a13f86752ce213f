import { Progress, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { largestShareBytes, type OwnShare } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../shared/components/CopyField.tsx'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useSession } from '../../../shared/session/session.ts'
import { expiryOf } from '../../../shared/share-link.ts'
import { useShareLink } from '../../../shared/share/use-share-link.ts'
import { KeyNote } from './KeyNote.tsx'
import classes from './ShareInfoDialog.module.css'

/** Everything known about one share. */
export function ShareInfoDialog({ share, onClose }: { share: OwnShare; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings, user } = useSession()
  const link = useShareLink(share.id)
  const expiresAt = expiryOf(share.expiration)
  const maxSize = largestShareBytes(settings, user)
  const details = [
    [t('myShares.columns.id'), share.id],
    [t('myShares.columns.name'), share.name],
    [t('myShares.columns.description'), share.description],
    [t('myShares.columns.createdAt'), format.date(new Date(share.createdAt))],
    [t('myShares.columns.expiresAt'), expiresAt ? format.date(expiresAt) : t('share.never')],
    [
      t('admin.shares.state.expired'),
      share.keptUntil && t('myShares.kept.until', { date: format.date(new Date(share.keptUntil)) }),
    ],
    [t('myShares.info.files'), format.count(share.files.length)],
    [t('upload.recipients.label'), share.recipients.join('\n')],
  ]
  return (
    <Dialog opened onClose={onClose} title={t('myShares.info.title')}>
      <Stack gap="md">
        <dl className={classes.details}>
          {details.map(
            ([term, value]) =>
              value && (
                <div key={term}>
                  <dt>{term}</dt>
                  <dd>
                    <bdi>{value}</bdi>
                  </dd>
                </div>
              ),
          )}
        </dl>
        <div>
          <Text size="sm" fw={500}>
            {maxSize > 0
              ? t('myShares.info.sizeOf', {
                  size: format.size(share.size),
                  max: format.size(maxSize),
                })
              : t('myShares.info.size', { size: format.size(share.size) })}
          </Text>
          {maxSize > 0 && (
            <Progress
              value={(share.size / maxSize) * 100}
              mt={6}
              aria-label={t('myShares.info.share')}
            />
          )}
        </div>
        <CopyField label={t('share.link')} value={link} />
        <KeyNote share={share} />
      </Stack>
    </Dialog>
  )
}
