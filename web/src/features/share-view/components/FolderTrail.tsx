import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { Folder } from '../file-tree.ts'
import classes from './FolderTrail.module.css'

/** Where in the share this folder lies, and the way back up. */
export function FolderTrail({
  trail,
  onOpen,
}: {
  trail: readonly Folder[]
  onOpen: (path: string) => void
}) {
  const { t } = useTranslation()
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
    </nav>
  )
}
