import { Alert, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import type { DirectoryTrial } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Panel } from '../../../shared/components/Panel.tsx'
import { tryDirectory } from '../api/try-directory.ts'
import { Reply } from './Reply.tsx'

const NAME = { provider: 'LDAP' }

/** Has the server ask the saved directory for somebody, or for one person, and shows what it found. */
export function TryDirectory() {
  const { t } = useTranslation()
  const http = useHttp()
  const [username, setUsername] = useState('')
  const trial = useMutation({ mutationFn: () => tryDirectory(http, username.trim()) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    trial.mutate()
  }
  return (
    <Panel p="lg">
      <Stack component="form" gap="md" align="flex-start" onSubmit={submit}>
        <div>
          <Title order={2} size="h4">
            {t('admin.tryProvider.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('admin.tryDirectory')}
          </Text>
        </div>
        <TextInput
          label={t('admin.directoryTrial.username')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={trial.isPending}>
          {t('admin.tryProvider.action', NAME)}
        </Button>
        <div aria-live="polite">
          {trial.isSuccess && (
            <Alert color="green" title={t('admin.tryProvider.works', NAME)}>
              <Found trial={trial.data} />
            </Alert>
          )}
          {trial.isError && <Failure error={trial.error} />}
        </div>
      </Stack>
    </Panel>
  )
}

function Found({ trial: { entry, email, groups, isAdmin } }: { trial: DirectoryTrial }) {
  const { t } = useTranslation()
  return (
    <Stack gap="xs">
      <Reply text={[entry, email].filter(Boolean).join(' · ')} />
      <div>
        <Text size="sm">
          {t(groups.length > 0 ? 'admin.directoryTrial.groups' : 'admin.directoryTrial.noGroups')}
        </Text>
        {groups.length > 0 && <Reply text={groups.join('\n')} />}
      </div>
      {isAdmin !== null && (
        <Text size="sm">
          {t(isAdmin ? 'admin.directoryTrial.isAdmin' : 'admin.directoryTrial.isNoAdmin')}
        </Text>
      )}
    </Stack>
  )
}

function Failure({ error }: { error: Error }) {
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  return (
    <Alert color="red" title={t('admin.tryProvider.failed', NAME)}>
      {hasCode(error, 'directory_check_failed') ? (
        <Reply text={error.message} />
      ) : (
        errorMessage(error)
      )}
    </Alert>
  )
}
