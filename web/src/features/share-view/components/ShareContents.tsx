import { Button, Group } from '@mantine/core'
import { previewKindOf, type ShareView } from '@floe/contracts'
import { IconDownload, IconPencil, IconSquareCheck } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import actions from '../../../shared/components/page-actions.module.css'
import { Page } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { lazyPart } from '../../../shared/lazy-part.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { describeShare } from '../../../shared/share/describe-share.ts'
import { expiryOf } from '../../../shared/share-link.ts'
import type { FileLeaf, Folder } from '../file-tree.ts'
import { offersGallery, prefersGallery } from '../folder-view.ts'
import { useShareAddresses } from '../share-addresses.ts'
import { type Choice, useChoice } from '../use-choice.ts'
import { useFolder } from '../use-folder.ts'
import type { Awaiting } from './AwaitedDownload.tsx'
import { ChecksumsLink } from './ChecksumsLink.tsx'
import { DownloadAll } from './DownloadAll.tsx'
import { FileTable } from './FileTable.tsx'
import { FolderTrail } from './FolderTrail.tsx'
import classes from './ShareContents.module.css'
import { ShareHead } from './ShareHead.tsx'

// Most shares have no pictures.
const PictureFolder = lazyPart(
  () => import('./PictureFolder.tsx'),
  ({ PictureFolder }) => PictureFolder,
)

const SoleFile = lazyPart(
  () => import('./SoleFile.tsx'),
  ({ SoleFile }) => SoleFile,
)

// Nobody chooses at once.
const ChosenBar = lazyPart(
  () => import('./ChosenBar.tsx'),
  ({ ChosenBar }) => ChosenBar,
)

// Most shares are complete.
const ComingPanel = lazyPart(
  () => import('./ComingPanel.tsx'),
  ({ ComingPanel }) => ComingPanel,
)
const AwaitedDownload = lazyPart(
  () => import('./AwaitedDownload.tsx'),
  ({ AwaitedDownload }) => AwaitedDownload,
)

// At the foot of the page, where it moves nothing when it comes.
const VisitorPreferences = lazyPart(
  () => import('./VisitorPreferences.tsx'),
  ({ VisitorPreferences }) => VisitorPreferences,
)

/** The share's heading and its files, one folder at a time. */
export function ShareContents({ share, note }: { share: ShareView; note?: ReactNode }) {
  const { t } = useTranslation()
  const { user } = useSession()
  const { coming } = share
  const { folder, trail, openFolder } = useFolder(share)

  const soleFile = soleFileOf(share, folder)
  const choice = useChoice()
  const [isAwaited, setAwaited] = useState(false)
  const described = useMemo(() => describe(share, t), [share, t])
  const shown = { share, folder, onOpenFolder: openFolder, choice }
  const trailNav = trail.length > 1 && (
    <FolderTrail shareId={share.id} trail={trail} onOpen={openFolder} />
  )

  return (
    <Page {...(!coming && prefersGallery(share.files) && { width: 'wide' })}>
      <PageTitle>{described.heading}</PageTitle>
      <ShareSummary
        share={share}
        choice={choice}
        awaiting={{ isAwaited, setAwaited }}
        {...described}
      />
      {coming && (
        <Suspense fallback={<div className={classes.coming} />}>
          <div className={classes.coming}>
            <ComingPanel share={share} coming={coming} isAwaited={isAwaited} />
          </div>
        </Suspense>
      )}
      {note}
      <Panel>
        {!coming && offersGallery(folder.files) && soleFile === null ? (
          <Suspense fallback={<div className={classes.waiting} />}>
            <PictureFolder key={folder.path} {...shown} trail={trailNav} />
          </Suspense>
        ) : (
          <>
            {trailNav}
            <Suspense fallback={<div className={classes.waiting} />}>
              {soleFile && <SoleFile share={share} file={soleFile} />}
              <FileTable key={folder.path} {...shown} isBare={soleFile !== null} />
            </Suspense>
          </>
        )}
      </Panel>
      {choice.chosen && (
        <Suspense>
          <ChosenBar share={share} chosen={choice.chosen} onStop={choice.stop} />
        </Suspense>
      )}
      {!coming && !share.encrypted && <ChecksumsLink share={share} />}
      {user === null && (
        <Suspense>
          <VisitorPreferences />
        </Suspense>
      )}
    </Page>
  )
}

/** The only file of a share, if it can be shown. */
function soleFileOf({ files, coming }: ShareView, folder: Folder): FileLeaf | null {
  const [file] = folder.files
  return files.length === 1 && !coming && file && previewKindOf(file.name) !== null ? file : null
}

/** What people call it, by all the files it is going to have. */
function describe({ name, creator, files, coming }: ShareView, t: TFunction) {
  const sender = creator?.username ?? null
  const all = [...files, ...(coming?.files ?? [])]
  const fileCount = files.length + (coming?.fileCount ?? 0)
  const fileNames = all.length === fileCount ? all.map((file) => file.name) : null
  return describeShare({ name, sender, fileCount, fileNames }, t)
}

interface ShareSummaryProps {
  share: ShareView
  choice: Choice
  awaiting: Awaiting
  heading: string
  sender: string | null
}

/** What the share is called, how large it is and until when, beside what can be done with it whole. */
function ShareSummary({ share, choice, awaiting, heading, sender }: ShareSummaryProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const expiresAt = expiryOf(share.expiration)
  const { files, size, coming } = share
  const count = files.length + (coming?.fileCount ?? 0)
  return (
    <ShareHead
      name={heading}
      description={share.description}
      sender={sender}
      summary={t('share.summary', { count, size: format.size(size + (coming?.size ?? 0)) })}
      end={
        expiresAt ? (
          <time dateTime={share.expiration} title={format.date(expiresAt)}>
            {t('share.expires', { time: format.timeLeft(expiresAt) })}
          </time>
        ) : (
          t('share.neverExpires')
        )
      }
    >
      <Group gap="sm" className={actions.actions}>
        {share.isOwn && !coming && !share.encrypted && (
          <Button
            component={PageLink}
            to={paths.editShare(share.id)}
            variant="default"
            leftSection={<IconPencil size={17} />}
          >
            {t('share.edit')}
          </Button>
        )}
        {coming || awaiting.isAwaited ? (
          <Suspense>
            <AwaitedDownload share={share} {...awaiting} />
          </Suspense>
        ) : (
          <Downloads share={share} choice={choice} />
        )}
      </Group>
    </ShareHead>
  )
}

/** What can be had of a share that is complete. */
function Downloads({ share, choice }: { share: ShareView; choice: Choice }) {
  const { t } = useTranslation()
  const addresses = useShareAddresses()
  const [only, another] = share.files
  if (only && !another) {
    return (
      <Button
        component="a"
        href={addresses.file(share.id, only.id)}
        download={addresses.isSaidByLinks}
        leftSection={<IconDownload size={18} />}
      >
        {t('share.preview.download')}
      </Button>
    )
  }
  if (!another) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconSquareCheck size={17} />}
        aria-pressed={choice.chosen !== null}
        onClick={choice.chosen === null ? choice.start : choice.stop}
      >
        {t('share.choose.start')}
      </Button>
      <DownloadAll shareId={share.id} />
    </>
  )
}
