import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { Folder } from '../file-tree.ts'
import { FolderDownload } from './FolderDownload.tsx'
import classes from './FolderTrail.module.css'

interface FolderTrailProps {
  shareId: string
  trail: readonly Folder[]
  onOpen: (path: string) => void
}

/** Where in the share this folder lies, the way back up, and all that is in it. */
export function FolderTrail({ shareId, trail, onOpen }: FolderTrailProps) {
  const { t } = useTranslation()
  const here = trail.at(-1)
  return (
    <nav className={classes.trail} aria-label={t('share.folders.trail')}>
      {trail.map(({ name, path }, index) => (
        <Fragment key={path}>
          {index > 0 && <IconChevronRight className={classes.arrow} size={15} aria-hidden="true" />}
          {index === trail.length - 1 ? (
            <span className={classes.here} aria-current="location">
              <bdi>{name}</bdi>
            </span>
          ) : (
            <UnstyledButton className={classes.step ?? ''} onClick={() => onOpen(path)}>
              <bdi>{name || t('share.folders.top')}</bdi>
            </UnstyledButton>
          )}
        </Fragment>
      ))}
      {here && <FolderDownload shareId={shareId} folder={here} className={classes.download} />}
    </nav>
  )
}
