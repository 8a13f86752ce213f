import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { useSession } from '../../../shared/session/session.ts'
import { sendTestMail } from '../api/send-test-mail.ts'
import { Reply } from './Reply.tsx'

/** Has the server try the saved settings, and shows what the mail server says. */
export function TestMail() {
  const { t } = useTranslation()
  const http = useHttp()
  const { user, settings } = useSession()
  const rules = useFormRules()
  const form = useForm({
    initialValues: { email: user?.email ?? '' },
    validate: { email: rules.email },
  })
  const test = useMutation({ mutationFn: (email: string) => sendTestMail(http, email) })
  const isOn = settings['smtp.enabled']

  return (
    <Panel p="lg">
      <form noValidate onSubmit={form.onSubmit(({ email }) => test.mutate(email))}>
        <Stack gap="md">
          <div>
            <Title order={2} size="h4">
              {t('admin.testMail.title')}
            </Title>
            <Text size="sm" c="dimmed">
              {isOn ? t('admin.testMail.hint') : t('admin.testMail.off')}
            </Text>
          </div>
          <Group align="flex-end">
            <TextInput
              type="email"
              label={t('admin.testMail.to')}
              disabled={!isOn}
              flex="1 1 180px"
              {...form.getInputProps('email')}
            />
            <Button type="submit" variant="default" disabled={!isOn} loading={test.isPending}>
              {t('admin.testMail.send')}
            </Button>
          </Group>
          <div aria-live="polite">
            {test.isSuccess && (
              <Alert color="green" title={t('admin.testMail.sent')}>
                <Reply text={test.data} />
              </Alert>
            )}
            {test.isError && <Failure error={test.error} />}
          </div>
        </Stack>
      </form>
    </Panel>
  )
}

function Failure({ error }: { error: Error }) {
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  const isReply = hasCode(error, 'mail_test_failed')
  return (
    <Alert color="red" title={t('admin.testMail.failed')}>
      {isReply ? <Reply text={error.message} /> : errorMessage(error)}
    </Alert>
  )
}
