import { Button, Group } from '@mantine/core'
import type { ConfigKey } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { fetchSettings } from '../../../shared/api/fetch-settings.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { updateAdminConfig } from '../api/admin-config.ts'
import type { Category, ConfigField, FieldValue } from '../config-fields.ts'
import { ConfigRow } from './ConfigRow.tsx'

/** Every setting of a category; only what was changed is sent. */
export function ConfigForm({
  category,
  fields,
}: {
  category: Category
  fields: readonly ConfigField[]
}) {
  const { t } = useTranslation()
  const http = useHttp()
  const { changeSettings } = useSession()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const [changed, setChanged] = useState<Partial<Record<ConfigKey, FieldValue>>>({})
  const changes = fields.flatMap(({ key, initial }) => {
    const value = changed[key]
    return value === undefined || value === initial ? [] : [{ key, value }]
  })
  const save = useMutation({
    mutationFn: () => updateAdminConfig(http, changes),
    onSuccess: async () => {
      changeSettings(await fetchSettings(http))
      notifySuccess(t('admin.saved'))
      await queryClient.invalidateQueries({ queryKey: queryKeys.adminConfig(category) })
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {fields.map((field) => (
        <ConfigRow
          key={field.key}
          field={field}
          value={changed[field.key] ?? field.initial}
          onChange={(value) => setChanged({ ...changed, [field.key]: value })}
        />
      ))}
      <Group justify="flex-end" mt="lg">
        <Button type="submit" disabled={changes.length === 0} loading={save.isPending}>
          {t('common.save')}
        </Button>
      </Group>
    </form>
  )
}
