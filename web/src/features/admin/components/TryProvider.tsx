import { Alert, Button, Text } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import type { SocialProvider } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { providerNames } from '../../../shared/social/provider-names.ts'
import { tryProvider } from '../api/try-provider.ts'
import rows from './ConfigRow.module.css'
import { Reply } from './Reply.tsx'
import classes from './TryProvider.module.css'

/** Has the server ask the provider whether it accepts the saved client. */
export function TryProvider({ provider }: { provider: SocialProvider }) {
  const { t } = useTranslation()
  const http = useHttp()
  const name = providerNames[provider]
  const trial = useMutation({ mutationFn: () => tryProvider(http, provider) })
  return (
    <div className={rows.row}>
      <div>
        <Text fw={600} size="sm">
          {t('admin.tryProvider.title')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('admin.tryProvider.help', { provider: name })}
        </Text>
      </div>
      <Button
        className={classes.action}
        variant="default"
        loading={trial.isPending}
        onClick={() => trial.mutate()}
      >
        {t('admin.tryProvider.action', { provider: name })}
      </Button>
      <div className={classes.outcome} aria-live="polite">
        {trial.isSuccess && (
          <Alert color="green" title={t('admin.tryProvider.works', { provider: name })}>
            <Reply text={trial.data} />
          </Alert>
        )}
        {trial.isError && <Failure error={trial.error} provider={name} />}
      </div>
    </div>
  )
}

function Failure({ error, provider }: { error: Error; provider: string }) {
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  const isRejected = hasCode(error, 'social_client_rejected')
  const isReply = isRejected || hasCode(error, 'social_check_failed')
  const title = isRejected ? 'admin.tryProvider.rejected' : 'admin.tryProvider.failed'
  return (
    <Alert color="red" title={t(title, { provider })}>
      {isReply ? <Reply text={error.message} /> : errorMessage(error)}
    </Alert>
  )
}
