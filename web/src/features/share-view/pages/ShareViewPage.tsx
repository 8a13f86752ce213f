import { pages, previewKindOf, type SharedFile, type ShareView } from '@floe/contracts'
import type { ShareKey } from '@floe/encryption'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { matchPath, useParams } from 'react-router'
import { ApiError, hasCode } from '../../../shared/api/api-error.ts'
import type { HttpClient } from '../../../shared/api/http-client.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { foreseen, takeForeseen } from '../../../shared/boot.ts'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { prepareFormats } from '../../../shared/format/prepare-formats.ts'
import { lazyPart } from '../../../shared/lazy-part.ts'
import type { PageDataSource } from '../../../shared/page-data.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { openShare } from '../api/open-share.ts'
import { createAskAgain } from '../ask-again.ts'
import { createAskWhileComing } from '../ask-while-coming.ts'
import { ContentsSkeleton } from '../components/ContentsSkeleton.tsx'
import { ShareContents } from '../components/ShareContents.tsx'
import { ShareDeadEnd } from '../components/ShareDeadEnd.tsx'
import { canDecrypt } from '../encrypted/can-decrypt.ts'
import { useLookAgain } from '../use-look-again.ts'

// Most shares are not.
const EncryptedShare = lazyPart(
  () => import('../components/EncryptedShare.tsx'),
  ({ EncryptedShare }) => EncryptedShare,
)

const OtherWay = lazyPart(
  () => import('../components/LockedShare.tsx'),
  ({ OtherWay }) => OtherWay,
)

const LinkWithoutKey = lazyPart(
  () => import('../components/LockedShare.tsx'),
  ({ LinkWithoutKey }) => LinkWithoutKey,
)

const PasswordDialog = lazyPart(
  () => import('../components/PasswordDialog.tsx'),
  ({ PasswordDialog }) => PasswordDialog,
)

const RecipientDialog = lazyPart(
  () => import('../components/RecipientDialog.tsx'),
  ({ RecipientDialog }) => RecipientDialog,
)

const shareQuery = (http: HttpClient, id: string) =>
  queryOptions({
    queryKey: queryKeys.share(id),
    queryFn: () => openShare(http, id, takeForeseen(id)),
  })

/** Where the response does not say. */
const HELD_SECONDS = 5

/** Opens what is going to open. */
export async function fetchData({ path, http, queryClient }: PageDataSource): Promise<void> {
  const id = matchPath(pages.share.path, path)?.params.id ?? ''
  const refusal = foreseen(id)?.refusal
  if (refusal !== null && refusal !== 'share_token_required') return
  const opening = queryClient.prefetchQuery(shareQuery(http, id))
  prepareFormats()
  await opening
}

/** A share as its visitors see it. */
export function Page() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const share = useShare(id)
  const [refusal, setRefusal] = useState<Error | null>(null)
  const [openingKey, setOpeningKey] = useOpeningKey(id)
  useLookAgain(id, share.data)
  const isAsked = hasCode(share.error, 'share_password_required', 'share_recipient_required')
  const held = useHeld(id, share.error)
  const deadEnd = refusal ?? (isAsked ? null : (share.error ?? (share.isPending ? held : null)))

  if (share.data && !hasEnded(share)) {
    if (isPlain(share.data)) return <ShareContents share={share.data} />
    return (
      <Suspense>
        <EncryptedShare share={share.data} openingKey={openingKey} />
      </Suspense>
    )
  }
  // Nobody types a password for nothing, which the server is not to know.
  if (isAsked && isOfNoUse(share.error)) {
    return (
      <Suspense>
        {hasKey() ? <OtherWay link={window.location.href} /> : <LinkWithoutKey />}
      </Suspense>
    )
  }
  return (
    <PageColumn>
      <PageTitle>{t('share.title')}</PageTitle>
      {deadEnd ? <ShareDeadEnd error={deadEnd} /> : <ContentsSkeleton />}
      {isAsked && refusal === null && (
        <Entrance
          shareId={id}
          error={share.error}
          onEntered={(key) => {
            setOpeningKey(key)
            void share.refetch()
          }}
          onRefused={setRefusal}
        />
      )}
    </PageColumn>
  )
}

/** Asked for again while something of it is on its way. */
function useShare(id: string) {
  const http = useHttp()
  const askAgain = useMemo(() => createAskAgain(), [id])
  const askWhileComing = useMemo(() => createAskWhileComing(), [id])
  return useQuery({
    ...shareQuery(http, id),
    refetchInterval: ({ state: { data, error, dataUpdateCount: responses } }) =>
      isHeld(error)
        ? (error.retryAfterSeconds ?? HELD_SECONDS) * 1000
        : data?.coming
          ? askWhileComing({
              responses,
              received: data.size + data.coming.received,
              files: data.files.length,
            })
          : askAgain({ responses, waiting: data?.files.filter(isShrinking).length ?? 0 }),
    // A download that waits begins wherever its visitor looks meanwhile.
    refetchIntervalInBackground: true,
  })
}

/** What opens this share, where it is encrypted and a password was asked for. */
function useOpeningKey(id: string): [ShareKey | null, (key: ShareKey | null) => void] {
  const [opening, setOpening] = useState<{ id: string; key: ShareKey | null } | null>(null)
  return [opening?.id === id ? opening.key : null, (key) => setOpening({ id, key })]
}

/** Its files are being scanned for viruses; the response says when to ask again. */
function isHeld(error: unknown): error is ApiError {
  return hasCode(error, 'share_being_scanned')
}

/** That it was held when it was last asked for, which stays on the screen while it is asked for again. */
function useHeld(id: string, error: Error | null): Error | null {
  const [last, setLast] = useState<{ id: string; error: Error } | null>(null)
  if (error !== null && (error !== last?.error || id !== last.id)) setLast({ id, error })
  return last?.id === id && isHeld(last.error) ? last.error : null
}

interface EntranceProps {
  shareId: string
  /** What the share wants. */
  error: Error | null
  /** With what opens the share, where it is encrypted and has a password. */
  onEntered: (openingKey: ShareKey | null) => void
  onRefused: (error: Error) => void
}

/** Asks for what opens the share: a code of its recipients, a password, or one after the other. */
function Entrance({ error, ...rest }: EntranceProps) {
  const [entrance, setEntrance] = useState<{ email: string; code: string } | null>(null)
  const asksCode = hasCode(error, 'share_recipient_required') && entrance === null
  return (
    <Suspense>
      {asksCode ? (
        <RecipientDialog
          {...rest}
          onEntered={() => rest.onEntered(null)}
          onPasswordNeeded={setEntrance}
        />
      ) : (
        <PasswordDialog
          {...rest}
          entrance={entrance}
          onRefused={(refused) => {
            // The code ended while the password was being typed: another one is asked for.
            if (hasCode(refused, 'invalid_share_code')) setEntrance(null)
            else rest.onRefused(refused)
          }}
        />
      )}
    </Suspense>
  )
}

/** What is asked for: the link lacks its key, or this browser could not decrypt with it. */
function isOfNoUse(error: Error | null): boolean {
  if (hasKey()) return !canDecrypt()
  return error instanceof ApiError && error.isEncrypted
}

/** What a link has a key for is not taken for plain, whatever the server says. */
const isPlain = ({ encrypted }: ShareView) => !encrypted && !hasKey()

const hasKey = () => window.location.hash.startsWith('#k=')

/** Expired, removed or closed to this visitor while it was open. */
function hasEnded({ error }: { error: unknown }): boolean {
  return hasCode(
    error,
    'share_not_found',
    'share_removed',
    'share_max_views_exceeded',
    'share_password_required',
    'share_recipient_required',
  )
}

/** Its thumbnail is being made, as far as its name tells. */
function isShrinking({ name, thumbnail }: SharedFile): boolean {
  return !thumbnail && previewKindOf(name) === 'image'
}
