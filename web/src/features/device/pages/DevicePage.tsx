import { Alert, Button, List, Stack, Text, TextInput, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/List.layer.css'
import type { DeviceRequest } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Page as PageFrame } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { scopeTexts } from '../../../shared/tokens/scope-texts.ts'
import { decideDeviceRequest, fetchDeviceRequest } from '../api/device-requests.ts'

/** Where somebody lets in a program that has no browser of its own. */
export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const find = useMutation({ mutationFn: (code: string) => fetchDeviceRequest(http, code) })
  return (
    <PageFrame width="narrow">
      <PageTitle>{t('device.title')}</PageTitle>
      <Panel p="xl">
        {find.data ? (
          <Question asked={find.data} />
        ) : (
          <CodeForm isPending={find.isPending} error={find.error} onEnter={find.mutate} />
        )}
      </Panel>
    </PageFrame>
  )
}

interface CodeFormProps {
  isPending: boolean
  error: Error | null
  onEnter: (code: string) => void
}

/** A code of the address is entered, and nothing more: whoever sent the link may want it approved. */
function CodeForm({ isPending, error, onEnter }: CodeFormProps) {
  const { t } = useTranslation()
  const rules = useFormRules()
  const [search] = useSearchParams()
  const form = useForm({
    initialValues: { code: search.get('code') ?? '' },
    validate: { code: rules.required },
  })
  return (
    <form noValidate onSubmit={form.onSubmit(({ code }) => onEnter(code.trim()))}>
      <Stack gap="md">
        <Title order={1} size="h3">
          {t('device.title')}
        </Title>
        <TextInput
          label={t('device.code')}
          description={t('device.hint')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          dir="ltr"
          {...form.getInputProps('code')}
        />
        <Failure error={error} />
        <Button type="submit" loading={isPending}>
          {t('device.next')}
        </Button>
      </Stack>
    </form>
  )
}

function Question({ asked }: { asked: DeviceRequest }) {
  const { t } = useTranslation()
  const http = useHttp()
  const decide = useMutation({
    mutationFn: (approve: boolean) => decideDeviceRequest(http, asked.userCode, approve),
  })
  if (decide.isSuccess) return <Outcome isApproved={decide.variables} />
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        {t('device.asks', { name: asked.clientName })}
      </Title>
      <Text c="dimmed" size="sm">
        {t('device.from', { address: asked.address })}
      </Text>
      <List>
        {asked.scopes.map((scope) => (
          <List.Item key={scope}>{t(scopeTexts[scope])}</List.Item>
        ))}
      </List>
      <Alert color="yellow">{t('device.warning')}</Alert>
      <Failure error={decide.error} />
      <Button loading={decide.isPending} onClick={() => decide.mutate(true)}>
        {t('device.approve')}
      </Button>
      <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
        {t('device.refuse')}
      </Button>
    </Stack>
  )
}

function Outcome({ isApproved }: { isApproved: boolean }) {
  const { t } = useTranslation()
  return (
    <Stack gap="md" role="status">
      <Title order={1} size="h3">
        {t(isApproved ? 'device.approved' : 'device.refused')}
      </Title>
      <Text>{t('device.close')}</Text>
    </Stack>
  )
}

function Failure({ error }: { error: Error | null }) {
  const errorMessage = useErrorMessage()
  if (!error) return null
  return (
    <Alert color="red" role="alert">
      {errorMessage(error)}
    </Alert>
  )
}
