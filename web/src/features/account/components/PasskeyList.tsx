import { ActionIcon, Button, Group, Skeleton, Text } from '@mantine/core'
import type { Passkey } from '@floe/contracts'
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import rows from '../../../shared/components/rows.module.css'
import { formatAgo } from '../../../shared/format/relative-time.ts'
import { fetchPasskeys } from '../../../shared/passkeys/fetch-passkeys.ts'
import { queryKeys } from '../../../shared/query-keys.ts'

interface PasskeyListProps {
  onRename: (passkey: Passkey) => void
  onRemove: (passkey: Passkey) => void
  /** Absent where the codes are those of an app. */
  onRenewCodes: (() => void) | undefined
}

export function PasskeyList({ onRename, onRemove, onRenewCodes }: PasskeyListProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const passkeys = useQuery({
    queryKey: queryKeys.passkeys,
    queryFn: () => fetchPasskeys(http),
    staleTime: 0,
  })
  if (passkeys.isError) return <Text size="sm">{errorMessage(passkeys.error)}</Text>
  if (!passkeys.data) return <Skeleton height={38} aria-hidden="true" />
  if (passkeys.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('account.passkeys.none')}
      </Text>
    )
  }
  return (
    <>
      <ul className={rows.list} aria-label={t('account.passkeys.title')}>
        {passkeys.data.map((passkey) => (
          <Row
            key={passkey.id}
            passkey={passkey}
            onRename={() => onRename(passkey)}
            onRemove={() => onRemove(passkey)}
          />
        ))}
      </ul>
      {onRenewCodes && (
        <Button variant="default" mt="md" onClick={onRenewCodes}>
          {t('account.totp.newCodes')}
        </Button>
      )}
    </>
  )
}

interface RowProps {
  passkey: Passkey
  onRename: () => void
  onRemove: () => void
}

function Row({ passkey, onRename, onRemove }: RowProps) {
  const { t, i18n } = useTranslation()
  const { name, lastUsedAt, isSynced, mayBeCopied } = passkey
  const time = lastUsedAt && formatAgo(new Date(lastUsedAt), Date.now(), i18n.language)
  return (
    <li className={rows.row}>
      <span className={rows.icon}>
        <IconFingerprint size={20} stroke={1.7} aria-hidden="true" />
      </span>
      <div className={rows.text}>
        <div className={rows.name}>
          <bdi>{name}</bdi>
          {mayBeCopied && <span className={rows.mark}>{t('account.passkeys.copied')}</span>}
        </div>
        <div className={rows.detail}>
          <span>
            {time === null
              ? t('account.tokens.neverUsed')
              : t('account.devices.lastUsed', { time })}
          </span>
          {isSynced && <span>{t('account.passkeys.synced')}</span>}
        </div>
      </div>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t('account.passkeys.renameNamed', { name })}
          title={t('account.passkeys.rename')}
          onClick={onRename}
        >
          <IconPencil size={19} stroke={1.7} aria-hidden="true" />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t('account.passkeys.removeNamed', { name })}
          title={t('account.passkeys.remove')}
          onClick={onRemove}
        >
          <IconTrash size={19} stroke={1.7} aria-hidden="true" />
        </ActionIcon>
      </Group>
    </li>
  )
}
