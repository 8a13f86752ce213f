import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError, hasCode } from '../../../shared/api/api-error.ts'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { HomeButton } from '../../../shared/components/HomeButton.tsx'

/** Why a share cannot be shown. */
export function ShareDeadEnd({ error }: { error: Error }) {
  const { t } = useTranslation()
  const home = <HomeButton />
  if (hasCode(error, 'share_max_views_exceeded')) {
    return (
      <DeadEnd
        scene="locked"
        title={t('share.deadEnd.views.title')}
        text={t('share.deadEnd.views.text')}
        action={home}
      />
    )
  }
  if (hasCode(error, 'share_removed')) {
    // The administrator who removed it wrote the reason.
    return (
      <DeadEnd
        scene="gone"
        title={t('share.deadEnd.removed.title')}
        text={error.message}
        action={home}
      />
    )
  }
  if (hasCode(error, 'share_not_found') || (error instanceof ApiError && error.status === 404)) {
    return (
      <DeadEnd
        scene="gone"
        title={t('share.deadEnd.notFound.title')}
        text={t('share.deadEnd.notFound.text')}
        action={home}
      />
    )
  }
  if (hasCode(error, 'share_being_scanned')) {
    return (
      <DeadEnd
        scene="locked"
        title={t('share.scan.waiting')}
        text={t('share.scan.opensByItself')}
        action={<Button onClick={() => window.location.reload()}>{t('common.tryAgain')}</Button>}
      />
    )
  }
  if (hasCode(error, 'private_share')) {
    return (
      <DeadEnd
        scene="locked"
        title={t('share.deadEnd.private.title')}
        text={t('share.deadEnd.private.text')}
        action={home}
      />
    )
  }
  return (
    <DeadEnd
      title={t('share.deadEnd.unknown.title')}
      text={t('share.deadEnd.unknown.text')}
      action={<Button onClick={() => window.location.reload()}>{t('common.tryAgain')}</Button>}
    />
  )
}
