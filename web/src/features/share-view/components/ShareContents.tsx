import { Button, Group } from '@mantine/core'
import type { ShareView } from '@floe/contracts'
import { IconDownload, IconPencil } from '@tabler/icons-react'
import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Page } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { apiPaths, paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { expiryOf } from '../../../shared/share-link.ts'
import { buildTree, foldersTo } from '../file-tree.ts'
import { offersGallery, prefersGallery } from '../folder-view.ts'
import { ChecksumsLink } from './ChecksumsLink.tsx'
import { DownloadAll } from './DownloadAll.tsx'
import { FileTable } from './FileTable.tsx'
import { FolderTrail } from './FolderTrail.tsx'
import classes from './ShareContents.module.css'
import { ShareHead } from './ShareHead.tsx'

// Most shares have no pictures.
const PictureFolder = lazy(() =>
  import('./PictureFolder.tsx').then(({ PictureFolder }) => ({ default: PictureFolder })),
)

const FOLDER = 'folder'

/** The share's heading and its files, one folder at a time. */
export function ShareContents({ share }: { share: ShareView }) {
  const [search, setSearch] = useSearchParams()
  const root = useMemo(() => buildTree(share.files), [share.files])
  const trail = foldersTo(root, search.get(FOLDER) ?? '')
  const folder = trail.at(-1) ?? root
  const openFolder = (path: string) => setSearch(path === '' ? {} : { [FOLDER]: path })

  const shown = { share, folder, onOpenFolder: openFolder }
  const way = trail.length > 1 && <FolderTrail trail={trail} onOpen={openFolder} />

  return (
    <Page {...(prefersGallery(share.files) && { width: 'wide' })}>
      <PageTitle>{share.name ?? share.id}</PageTitle>
      <ShareSummary share={share} />
      <Panel>
        {offersGallery(folder.files) ? (
          <Suspense fallback={<div className={classes.waiting} />}>
            <PictureFolder key={folder.path} {...shown} trail={way} />
          </Suspense>
        ) : (
          <>
            {way}
            <FileTable key={folder.path} {...shown} />
          </>
        )}
      </Panel>
      <ChecksumsLink share={share} />
    </Page>
  )
}

/** What the share is called, how large it is and until when, beside what can be done with it whole. */
function ShareSummary({ share }: { share: ShareView }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { user } = useSession()
  const expiresAt = expiryOf(share.expiration)
  const isOwner = user !== null && share.creator?.username === user.username
  const onlyFile = share.files.length === 1 ? share.files[0] : undefined
  return (
    <ShareHead
      name={share.name ?? share.id}
      description={share.description}
      summary={t('share.summary', { count: share.files.length, size: format.size(share.size) })}
      end={
        expiresAt ? t('share.expiresOn', { date: format.date(expiresAt) }) : t('share.neverExpires')
      }
    >
      <Group gap="sm" className={classes.actions}>
        {isOwner && (
          <Button
            component={PageLink}
            to={paths.editShare(share.id)}
            variant="default"
            leftSection={<IconPencil size={17} />}
          >
            {t('share.edit')}
          </Button>
        )}
        {share.files.length > 1 && <DownloadAll shareId={share.id} />}
        {onlyFile && (
          <Button
            component="a"
            href={apiPaths.file(share.id, onlyFile.id)}
            download
            leftSection={<IconDownload size={18} />}
          >
            {t('share.preview.download')}
          </Button>
        )}
      </Group>
    </ShareHead>
  )
}
