import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Page as PageFrame } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { deleteByLink } from '../api/delete-by-link.ts'

/** Where the address leads that deletes a share. It waits for a press: scanners open links. */
export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const { id = '', secret = '' } = useParams()
  const errorMessage = useErrorMessage()
  const remove = useMutation({ mutationFn: () => deleteByLink(http, { id, secret }) })
  return (
    <PageFrame width="narrow">
      <PageTitle>{t('common.delete')}</PageTitle>
      <Panel p="xl">
        {remove.isSuccess ? (
          <Title order={1} size="h3" role="status">
            {t('myShares.deleted')}
          </Title>
        ) : (
          <Stack gap="md">
            <Title order={1} size="h3">
              {t('myShares.deleteTitle', { name: id })}
            </Title>
            <Text size="sm">{t('myShares.deleteText')}</Text>
            {remove.isError && (
              <Alert color="red" role="alert">
                {errorMessage(remove.error)}
              </Alert>
            )}
            <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              {t('common.delete')}
            </Button>
          </Stack>
        )}
      </Panel>
    </PageFrame>
  )
}
