import { SegmentedControl, Text } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import type { ShareView } from '@floe/contracts'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type FolderView,
  readPreferences,
  writePreferences,
} from '../../../shared/session/preferences.ts'
import type { Folder } from '../file-tree.ts'
import { isPicture, prefersGallery } from '../folder-view.ts'
import type { Choice } from '../use-choice.ts'
import { FileGallery } from './FileGallery.tsx'
import { FileTable } from './FileTable.tsx'
import classes from './PictureFolder.module.css'

interface PictureFolderProps {
  share: ShareView
  folder: Folder
  onOpenFolder: (path: string) => void
  choice: Choice
  /** The way to this folder; nothing at the top. */
  trail: ReactNode
}

/** A folder with pictures, as a gallery or as a list: as it suits it, or as this browser chose. */
export function PictureFolder({ trail, ...shown }: PictureFolderProps) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState(readChoice)
  const view = chosen ?? (prefersGallery(shown.folder.files) ? 'gallery' : 'list')

  function choose(next: FolderView) {
    setChosen(next)
    const { localStorage } = window
    writePreferences(localStorage, { ...readPreferences(localStorage), folderView: next })
  }

  return (
    <>
      <div className={classes.bar}>
        {trail || (
          <Text size="sm" c="dimmed" className={classes.count ?? ''}>
            {t('share.view.pictures', { count: shown.folder.files.filter(isPicture).length })}
          </Text>
        )}
        <SegmentedControl
          className={classes.switch ?? ''}
          size="xs"
          value={view}
          onChange={choose}
          aria-label={t('share.view.label')}
          data={[
            { value: 'gallery', label: option(<IconLayoutGrid size={15} />, 'gallery') },
            { value: 'list', label: option(<IconList size={15} />, 'list') },
          ]}
        />
      </div>
      {view === 'gallery' ? <FileGallery {...shown} /> : <FileTable {...shown} />}
    </>
  )

  function option(icon: ReactNode, name: FolderView) {
    return (
      <span className={classes.option}>
        <span className={classes.icon} aria-hidden="true">
          {icon}
        </span>
        {t(`share.view.${name}`)}
      </span>
    )
  }
}

function readChoice(): FolderView | undefined {
  const { folderView } = readPreferences(window.localStorage)
  return folderView === 'list' || folderView === 'gallery' ? folderView : undefined
}
