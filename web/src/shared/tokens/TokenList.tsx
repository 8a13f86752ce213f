import { Button, Skeleton, Stack, Text } from '@mantine/core'
import type { ApiToken } from '@floe/contracts'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import rows from '../components/rows.module.css'
import { formatAgo } from '../format/relative-time.ts'
import { useFormat } from '../format/use-format.ts'
import { queryKeys } from '../query-keys.ts'
import { useDevice } from '../use-device.ts'
import classes from './TokenList.module.css'
import { fetchTokens } from './tokens.ts'

interface TokenListProps {
  /** `null` for the own ones. */
  userId: string | null
  label: string
  onRevoke: (token: ApiToken) => void
}

/** Tokens for scripts: what each may, until when, and who used it last. */
export function TokenList({ userId, label, onRevoke }: TokenListProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const tokens = useQuery({
    queryKey: queryKeys.tokens(userId),
    queryFn: () => fetchTokens(http, userId),
    // Scripts use them meanwhile.
    staleTime: 0,
  })
  if (tokens.isError) return <Text size="sm">{errorMessage(tokens.error)}</Text>
  if (!tokens.data) {
    return (
      <Stack gap="lg" aria-hidden="true">
        <Skeleton height={38} />
      </Stack>
    )
  }
  if (tokens.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('account.tokens.none')}
      </Text>
    )
  }
  return (
    <ul className={rows.list} aria-label={label}>
      {tokens.data.map((token) => (
        <Row key={token.id} token={token} onRevoke={() => onRevoke(token)} />
      ))}
    </ul>
  )
}

function Row({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, prefix, scopes, networks, lastUse } = token
  const expiresAt = token.expiresAt === null ? null : new Date(token.expiresAt)
  const isOver = expiresAt !== null && expiresAt.getTime() <= Date.now()
  return (
    <li className={rows.row}>
      <span className={rows.icon}>
        <IconKey size={20} stroke={1.7} aria-hidden="true" />
      </span>
      <div className={rows.text}>
        <div className={rows.name}>
          <bdi>{name}</bdi>
          {isOver && <span className={rows.mark}>{t('account.tokens.expired')}</span>}
        </div>
        <div className={rows.detail}>
          <bdi className={classes.code}>{prefix}…</bdi>
          {!isOver && (
            <span>
              {expiresAt
                ? t('account.tokens.expires', { date: format.shortDate(expiresAt) })
                : t('share.expiry.never')}
            </span>
          )}
        </div>
        <div className={rows.detail}>
          {scopes.map((scope) => (
            <bdi key={scope} className={classes.code}>
              {scope}
            </bdi>
          ))}
        </div>
        {networks.length > 0 && (
          <div className={rows.detail}>
            <span>{t('account.tokens.networks')}</span>
            {networks.map((network) => (
              <bdi key={network} className={classes.code}>
                {network}
              </bdi>
            ))}
          </div>
        )}
        <div className={rows.detail}>
          {lastUse ? <LastUse {...lastUse} /> : <span>{t('account.tokens.neverUsed')}</span>}
        </div>
      </div>
      <Button
        variant="default"
        size="sm"
        aria-label={t('account.tokens.revokeNamed', { name })}
        onClick={onRevoke}
      >
        {t('account.tokens.revoke')}
      </Button>
    </li>
  )
}

function LastUse({ at, address, userAgent }: NonNullable<ApiToken['lastUse']>) {
  const { t, i18n } = useTranslation()
  const { name } = useDevice(userAgent)
  const time = formatAgo(new Date(at), Date.now(), i18n.language)
  return (
    <>
      <span>{t('account.devices.lastUsed', { time })}</span>
      <bdi>{address}</bdi>
      <bdi>{name}</bdi>
    </>
  )
}
