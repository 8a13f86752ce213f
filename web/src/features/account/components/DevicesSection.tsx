import { Button, Skeleton, Stack, Text } from '@mantine/core'
import type { SessionView } from '@floe/contracts'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import rows from '../../../shared/components/rows.module.css'
import { formatAgo } from '../../../shared/format/relative-time.ts'
import { notifyError } from '../../../shared/notify.ts'
import { paths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useDevice } from '../../../shared/use-device.ts'
import { endSession } from '../api/end-session.ts'
import { endSessions } from '../api/end-sessions.ts'
import { fetchSessions } from '../api/sessions.ts'
import { Section } from './Section.tsx'

/** Where the account is signed in, with a way to sign out of one place or of all. */
export function DevicesSection() {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const [isAsking, setIsAsking] = useState(false)
  const sessions = useQuery({ queryKey: queryKeys.sessions, queryFn: () => fetchSessions(http) })
  const endAll = useMutation({
    mutationFn: () => endSessions(http),
    onSuccess: () => window.location.assign(paths.home),
    onError: (error) => notifyError(errorMessage(error)),
  })
  return (
    <Section title={t('account.devices.title')} hint={t('account.devices.hint')}>
      {sessions.isError ? (
        <Text size="sm">{errorMessage(sessions.error)}</Text>
      ) : sessions.data ? (
        <ul className={rows.list} aria-label={t('account.devices.title')}>
          {sessions.data.toSorted(currentFirst).map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </ul>
      ) : (
        <Stack gap="lg" aria-hidden="true">
          <Skeleton height={38} />
          <Skeleton height={38} />
        </Stack>
      )}
      <Button variant="default" mt="lg" onClick={() => setIsAsking(true)}>
        {t('account.devices.endAll')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('account.devices.endAllTitle')}
        text={t('account.devices.endAllText')}
        action={t('account.devices.endAll')}
        isBusy={endAll.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={() => endAll.mutate()}
      />
    </Section>
  )
}

function currentFirst(one: SessionView, other: SessionView): number {
  return Number(other.isCurrent) - Number(one.isCurrent)
}

function Row({ session }: { session: SessionView }) {
  const { t, i18n } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const { name, isHandheld } = useDevice(session.userAgent)
  const used = session.isCurrent
    ? t('account.devices.active')
    : t('account.devices.lastUsed', {
        time: formatAgo(new Date(session.lastUsedAt), Date.now(), i18n.language),
      })
  const end = useMutation({
    mutationFn: () => endSession(http, session.id),
    onSuccess: () => {
      if (!session.isCurrent) return
      http.forgetAccessToken()
      window.location.assign(paths.home)
    },
    onError: (error) => {
      // Signed out meanwhile: that is what was wanted.
      if (!hasCode(error, 'session_not_found')) notifyError(errorMessage(error))
    },
    onSettled: () => {
      if (session.isCurrent) return undefined
      return queryClient.invalidateQueries({ queryKey: queryKeys.sessions })
    },
  })
  const Icon = isHandheld ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={rows.row}>
      <span className={rows.icon}>
        <Icon size={20} stroke={1.7} aria-hidden="true" />
      </span>
      <div className={rows.text}>
        <div className={rows.name}>
          {name}
          {session.isCurrent && <span className={rows.mark}>{t('account.devices.current')}</span>}
        </div>
        <div className={rows.detail}>
          <span>{used}</span>
          <span>{session.clientAddress}</span>
        </div>
      </div>
      <Button
        variant="default"
        size="sm"
        loading={end.isPending}
        aria-label={
          session.isCurrent
            ? t('account.devices.endCurrent')
            : t('account.devices.endNamed', { name })
        }
        onClick={() => end.mutate()}
      >
        {t('account.devices.end')}
      </Button>
    </li>
  )
}
