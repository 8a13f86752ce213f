import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Panel } from '../../../shared/components/Panel.tsx'
import { tryDirectory } from '../api/try-directory.ts'
import { Reply } from './Reply.tsx'

const NAME = { provider: 'LDAP' }

/** Has the server ask the saved directory for somebody, and shows whom it found. */
export function TryDirectory() {
  const { t } = useTranslation()
  const http = useHttp()
  const trial = useMutation({ mutationFn: () => tryDirectory(http) })
  return (
    <Panel p="lg">
      <Stack gap="md" align="flex-start">
        <div>
          <Title order={2} size="h4">
            {t('admin.tryProvider.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('admin.tryDirectory')}
          </Text>
        </div>
        <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
          {t('admin.tryProvider.action', NAME)}
        </Button>
        <div aria-live="polite">
          {trial.isSuccess && (
            <Alert color="green" title={t('admin.tryProvider.works', NAME)}>
              <Reply text={[trial.data.entry, trial.data.email].filter(Boolean).join(' · ')} />
            </Alert>
          )}
          {trial.isError && <Failure error={trial.error} />}
        </div>
      </Stack>
    </Panel>
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
