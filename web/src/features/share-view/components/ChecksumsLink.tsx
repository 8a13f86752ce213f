import type { ShareView } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { apiPaths } from '../../../shared/paths.ts'
import classes from './ChecksumsLink.module.css'

/** For those who check what they downloaded; quiet, because most people do not. */
export function ChecksumsLink({ share }: { share: ShareView }) {
  const { t } = useTranslation()
  if (share.files.length === 0) return null
  const isReady = share.files.every(({ sha256 }) => sha256 !== undefined)
  return (
    <p className={classes.line}>
      {isReady ? (
        <a href={apiPaths.checksums(share.id)} download>
          {t('share.checksums')}
        </a>
      ) : (
        t('share.checksumsPending')
      )}
    </p>
  )
}
