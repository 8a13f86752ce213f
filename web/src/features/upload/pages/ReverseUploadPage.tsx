import { Alert, Button, Skeleton, Stack } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import type { ReverseShareView } from '@floe/contracts'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { HomeButton } from '../../../shared/components/HomeButton.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { useCanSeal } from '../../../shared/encryption/can-seal.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useUploadDesk } from '../../../shared/upload/upload-desk.ts'
import type { UploadJob } from '../../../shared/upload/upload-job.ts'
import { useJobStage, useUploadSnapshot } from '../../../shared/upload/use-upload-job.ts'
import { fetchReverseShare } from '../api/reverse-share.ts'
import type { DraftEncryption } from '../draft-actions.ts'
import { LinkLimits } from '../components/LinkLimits.tsx'
import { LinkPasswordDialog } from '../components/LinkPasswordDialog.tsx'
import { NewUpload } from '../components/NewUpload.tsx'
import { RunningUpload } from '../lazy.ts'
import { agreeOnReceiver, type Disagreement } from '../agree-on-receiver.ts'
import { useReverseShareCookie } from '../use-reverse-share-cookie.ts'
import { useUploadActions } from '../use-upload-actions.ts'

/** Where people send files to the owner of the link. They need no account. */
export function Page() {
  const { t } = useTranslation()
  const { token = '' } = useParams()
  const http = useHttp()
  const { job } = useUploadDesk()
  const [hasSent, setHasSent] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.reverseShare(token),
    queryFn: () => fetchReverseShare(http, token),
    staleTime: 0,
  })
  const look = useCallback(() => void refetch(), [refetch])
  const isOff = hasCode(error, 'reverse_shares_disabled')
  const isClosed = isOff || hasCode(error, 'reverse_share_not_found')

  const beginning = (
    <PageColumn>
      {isClosed ? (
        <Closed hasSent={hasSent} isOff={isOff} />
      ) : data ? (
        <Entrance key={token} reverseShare={data} onLook={look} />
      ) : error ? (
        <DeadEnd
          title={t('errorPage.title')}
          text={t('errorPage.default')}
          action={<Button onClick={look}>{t('common.tryAgain')}</Button>}
        />
      ) : (
        <FormSkeleton />
      )}
    </PageColumn>
  )
  return (
    <>
      <PageTitle>{data?.name ?? t('send.title')}</PageTitle>
      {job ? (
        <Sending
          token={token}
          job={job}
          reverseShare={data}
          isClosed={isClosed}
          onSent={() => setHasSent(true)}
          onLook={look}
          fallback={beginning}
        />
      ) : (
        beginning
      )}
    </>
  )
}

function useIntake(reverseShare: ReverseShareView | undefined) {
  const { t } = useTranslation()
  const format = useFormat()
  const maxBytes = Number(reverseShare?.maxShareSize ?? 0)
  return {
    heading: reverseShare?.name ?? t('send.title'),
    submit: { label: t('send.submit'), icon: <IconSend size={18} /> },
    about: reverseShare && <LinkLimits reverseShare={reverseShare} maxBytes={maxBytes} />,
    hint: t('send.dropHint', { maxSize: format.size(maxBytes) }),
    maxBytes,
    leftBytes: null,
  }
}

interface EntranceProps {
  reverseShare: ReverseShareView
  /** The link may allow something else by now. */
  onLook: () => void
}

/** Takes files only where the link and the server name the same receiver. */
function Entrance({ reverseShare, onLook }: EntranceProps) {
  // Read again when somebody puts the whole link into the address bar.
  const { hash } = useLocation()
  const agreed = useMemo(() => agreeOnReceiver(hash, reverseShare), [hash, reverseShare])
  const canSeal = useCanSeal()
  if ('disagreement' in agreed) return <Refused why={agreed.disagreement} />
  if (agreed.encryption !== null && canSeal === false) return <Refused why="unable" />
  return <Ready reverseShare={reverseShare} onLook={onLook} {...agreed} />
}

function Refused({ why }: { why: Disagreement | 'unable' }) {
  const { t } = useTranslation()
  return (
    <DeadEnd
      scene={why === 'swapped' ? 'storm' : 'gone'}
      title={t(`send.${why}.title`)}
      text={t(`send.${why}.text`)}
      action={<HomeButton />}
    />
  )
}

interface ReadyProps extends EntranceProps {
  encryption: DraftEncryption | null
}

function Ready({ reverseShare, encryption, onLook }: ReadyProps) {
  const actions = useUploadActions()
  const intake = useIntake(reverseShare)
  const { token, isUnlocked } = reverseShare
  // What was chosen stays when the password is asked for again.
  const [wasUnlocked, setWasUnlocked] = useState(isUnlocked)
  if (isUnlocked && !wasUnlocked) setWasUnlocked(true)
  useReverseShareCookie(token, isUnlocked)

  const { openDraft } = actions
  const openAndLook: typeof openDraft = async (...draft) => {
    try {
      return await openDraft(...draft)
    } catch (error) {
      onLook()
      throw error
    }
  }

  return (
    <>
      {wasUnlocked ? (
        <NewUpload
          {...intake}
          actions={{ ...actions, openDraft: openAndLook }}
          reverseShare={token}
          encryption={encryption}
          isWaiting={!isUnlocked}
        />
      ) : (
        <FormSkeleton />
      )}
      {!isUnlocked && <LinkPasswordDialog token={token} />}
    </>
  )
}

interface SendingProps {
  token: string
  job: UploadJob
  reverseShare: ReverseShareView | undefined
  /** The link takes nothing any more. */
  isClosed: boolean
  onSent: () => void
  /** The link may allow something else by now. */
  onLook: () => void
  /** Shown while nobody knows what the link asks for. */
  fallback: ReactNode
}

function Sending(props: SendingProps) {
  const { token, job, reverseShare, isClosed, onSent, onLook, fallback } = props
  const { t } = useTranslation()
  const actions = useUploadActions()
  const intake = useIntake(reverseShare)
  const stage = useJobStage(job)
  const isFinished = stage.name === 'finished'
  // The draft says so itself where sending failed.
  const hasFailed = stage.name === 'draft' && stage.error !== null
  useReverseShareCookie(token, !isFinished && reverseShare?.isUnlocked === true)
  useLookAtFailures(job, onLook)

  const { abandon } = actions
  const abandonAndLook = useCallback(
    async (shareId: string) => {
      await abandon(shareId)
      onLook()
    },
    [abandon, onLook],
  )
  function clear() {
    actions.clear()
    onSent()
    onLook()
  }

  if (stage.name === 'draft' && !reverseShare) return fallback
  return (
    <RunningUpload
      {...intake}
      about={isClosed ? null : intake.about}
      job={job}
      actions={{ ...actions, clear, abandon: abandonAndLook }}
      reverseShare={reverseShare}
      notice={
        isClosed &&
        !isFinished &&
        !hasFailed &&
        job.reverseShare?.token === token && (
          <Alert color="red" role="alert" mb="lg">
            {t('errors.reverseShareNotFound')}
          </Alert>
        )
      }
    />
  )
}

/** What the server refuses may be due to a link that was changed, closed or deleted meanwhile. */
function useLookAtFailures(job: UploadJob, onLook: () => void): void {
  const { rows } = useUploadSnapshot(job)
  const stage = useJobStage(job)
  const hasFailed = rows.some(({ state }) => state === 'failed')
  const failure = stage.name === 'draft' ? stage.error : null
  useEffect(() => {
    if (hasFailed || failure !== null) onLook()
  }, [hasFailed, failure, onLook])
}

function Closed({ hasSent, isOff }: { hasSent: boolean; isOff: boolean }) {
  const { t } = useTranslation()
  const reason = isOff
    ? { title: t('send.off.title'), text: t('send.off.text') }
    : { title: t('send.closed.title'), text: t('send.closed.text') }
  return (
    <DeadEnd
      scene={hasSent ? 'done' : 'gone'}
      title={hasSent ? t('send.thanks.title') : reason.title}
      text={hasSent ? t('send.thanks.text') : reason.text}
      action={<HomeButton />}
    />
  )
}

function FormSkeleton() {
  return (
    <Stack gap="md" aria-hidden="true">
      <Skeleton height={34} width="45%" />
      <Skeleton height={16} width="60%" />
      <Skeleton height={260} radius="xl" mt="md" />
    </Stack>
  )
}
