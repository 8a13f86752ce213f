import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { shareIdSchema } from '@floe/contracts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { describeField } from '../components/describe-field.tsx'

interface LinkFieldProps {
  /** Its name in the form, by which the form finds it. */
  path: string
  label: string
  value: string
  placeholder?: string
  error: ReactNode
  /** The whole address, or what stands in for it while there is none. */
  preview: string
  /** Names the question to the cache. */
  kind: 'share' | 'reverse-share'
  /** Somebody typed it; a generated link needs no check. */
  isOwnWording: boolean
  isAvailable: (id: string, signal: AbortSignal) => Promise<boolean>
  onChange: (id: string) => void
  /** Absent: a link left empty is made up later. */
  onGenerate?: () => void
}

// The server takes ten such requests a minute.
const ASK_AFTER_MS = 700

function useIsTaken({
  value,
  kind,
  isOwnWording,
  isAvailable,
}: Pick<LinkFieldProps, 'value' | 'kind' | 'isOwnWording' | 'isAvailable'>): boolean | null {
  const [asked] = useDebouncedValue(value, ASK_AFTER_MS)
  const enabled = isOwnWording && asked === value && shareIdSchema.safeParse(value).success
  const { data } = useQuery({
    queryKey: ['link', kind, asked],
    queryFn: ({ signal }) => isAvailable(asked, signal),
    enabled,
    retry: false,
  })
  return enabled && data !== undefined ? !data : null
}

/** The end of a link: typed or generated, checked for being free, shown in full. */
export function LinkField(props: LinkFieldProps) {
  const { path, label, value, placeholder, error, preview, onChange, onGenerate } = props
  const { t } = useTranslation()
  const previewId = useId()
  const isTaken = useIsTaken(props)
  const isLink = value === '' || shareIdSchema.safeParse(value).success
  return (
    <div>
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <TextInput
          data-path={path}
          label={label}
          value={value}
          {...(placeholder !== undefined && { placeholder })}
          error={error ?? (isTaken ? t('errors.linkTaken') : null)}
          flex={1}
          inputContainer={describeField(previewId)}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {onGenerate && (
          <Button variant="default" onClick={onGenerate} mt={25}>
            {t('upload.create.generate')}
          </Button>
        )}
      </Group>
      <Text id={previewId} size="sm" c="dimmed" mt={6} style={{ overflowWrap: 'anywhere' }}>
        {isLink && <bdi dir="ltr">{preview}</bdi>}
      </Text>
      <Text size="sm" c="var(--floe-accent)" role="status">
        {isTaken === false ? t('upload.create.available') : ''}
      </Text>
    </div>
  )
}
