import { Button, List, Text } from '@mantine/core'
import '@mantine/core/styles/List.layer.css'
import type { UserView } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { notifyError } from '../../../shared/notify.ts'
import { paths } from '../../../shared/paths.ts'
import { deleteOwnUser } from '../api/delete-own-user.ts'
import { Section } from './Section.tsx'

export function DeleteSection({ user }: { user: UserView }) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const [isAsking, setIsAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => deleteOwnUser(http),
    onSuccess: () => {
      http.forgetAccessToken()
      window.location.assign(paths.home)
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
  return (
    <Section title={t('account.delete.title')} hint={t('account.delete.hint')}>
      <Button color="red" variant="outline" onClick={() => setIsAsking(true)}>
        {t('account.delete.submit')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('account.delete.confirmTitle')}
        text={
          <>
            <Text size="sm" mb="xs">
              {t('account.delete.confirmText')}
            </Text>
            <List size="sm" spacing={4}>
              <List.Item>{t('account.delete.account', { username: user.username })}</List.Item>
              <List.Item>{t('account.delete.shares')}</List.Item>
              <List.Item>{t('account.delete.signIns')}</List.Item>
            </List>
            <Text size="sm" mt="xs">
              {t('account.delete.stays')}
            </Text>
          </>
        }
        action={t('account.delete.submit')}
        isBusy={remove.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={() => remove.mutate()}
      />
    </Section>
  )
}
