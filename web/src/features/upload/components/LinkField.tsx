import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { shareIdSchema } from '@floe/contracts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { useSession } from '../../../shared/session/session.ts'
import { shareLink } from '../../../shared/share-link.ts'
import { isShareIdAvailable } from '../api/share-id-availability.ts'

interface LinkFieldProps {
  value: string
  error: ReactNode
  /** Somebody typed it; a generated link needs no check. */
  isOwnWording: boolean
  onChange: (id: string) => void
  onGenerate: () => void
}

// The server answers ten such questions a minute.
const ASK_AFTER_MS = 700

function useIsTaken(id: string, isOwnWording: boolean): boolean | null {
  const http = useHttp()
  const [asked] = useDebouncedValue(id, ASK_AFTER_MS)
  const enabled = isOwnWording && asked === id && shareIdSchema.safeParse(id).success
  const { data } = useQuery({
    queryKey: ['share-id', asked],
    queryFn: ({ signal }) => isShareIdAvailable(http, asked, signal),
    enabled,
    retry: false,
  })
  return enabled && data !== undefined ? !data : null
}

/** The share's link: typed or generated, checked for being free, shown in full. */
export function LinkField({ value, error, isOwnWording, onChange, onGenerate }: LinkFieldProps) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const isTaken = useIsTaken(value, isOwnWording)
  const link = shareLink({
    shareId: value,
    appUrl: settings['general.appUrl'],
    origin: window.location.origin,
  })
  return (
    <div>
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <TextInput
          label={t('upload.create.link')}
          value={value}
          error={error ?? (isTaken ? t('errors.linkTaken') : null)}
          flex={1}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <Button variant="default" onClick={onGenerate} mt={25}>
          {t('upload.create.generate')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt={6} style={{ overflowWrap: 'anywhere' }}>
        {link}
      </Text>
      <Text size="sm" c="var(--floe-accent)" role="status">
        {isTaken === false ? t('upload.create.available') : ''}
      </Text>
    </div>
  )
}
