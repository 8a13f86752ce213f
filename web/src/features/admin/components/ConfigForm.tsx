import { Button, Stack } from '@mantine/core'
import { mailTemplateNames } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { fetchSettings } from '../../../shared/api/fetch-settings.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Panel } from '../../../shared/components/Panel.tsx'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { updateAdminConfig } from '../api/admin-config.ts'
import {
  type Category,
  type Changes,
  changesOf,
  type ConfigField,
  groupFields,
  isWellFormed,
} from '../config-fields.ts'
import { configTexts } from '../config-texts.ts'
import classes from './ConfigForm.module.css'
import { ConfigRow } from './ConfigRow.tsx'
import { MailPreview } from './MailPreview.tsx'
import { ProviderGroup } from './ProviderGroup.tsx'

interface ConfigFormProps {
  category: Category
  fields: readonly ConfigField[]
}

/** Every setting of a category; only what was changed is sent. */
export function ConfigForm({ category, fields }: ConfigFormProps) {
  const { t } = useTranslation()
  const [changed, setChanged] = useState<Changes>({})
  const changes = changesOf(fields, changed)
  const save = useSaveConfig(category, changes)
  const isMalformed = fields.some((field) => {
    const value = changed[field.key]
    return value !== undefined && !isWellFormed(field, value)
  })

  function rowsOf(group: readonly ConfigField[]) {
    return group.map((field) => (
      <ConfigRow
        key={field.key}
        field={field}
        value={changed[field.key]}
        onChange={(value) => setChanged(withChange(changed, field, value))}
      >
        <MessagePreview field={field} fields={fields} changed={changed} />
      </ConfigRow>
    ))
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isMalformed) save.mutate()
      }}
    >
      <Stack gap="lg">
        {groupFields(fields).map(({ provider, fields: group }) => (
          <Panel key={provider} p="lg">
            {provider === null ? (
              rowsOf(group)
            ) : (
              <ProviderGroup provider={provider}>{rowsOf(group)}</ProviderGroup>
            )}
          </Panel>
        ))}
      </Stack>
      <div className={classes.actions} data-changed={changes.length > 0 || undefined}>
        <Button
          type="submit"
          disabled={changes.length === 0 || isMalformed}
          loading={save.isPending}
        >
          {t('common.save')}
        </Button>
      </div>
    </form>
  )
}

function useSaveConfig(category: Category, changes: ReturnType<typeof changesOf>) {
  const { t } = useTranslation()
  const http = useHttp()
  const { changeSettings } = useSession()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  return useMutation({
    mutationFn: () => updateAdminConfig(http, changes),
    onSuccess: async () => {
      changeSettings(await fetchSettings(http))
      await queryClient.invalidateQueries({ queryKey: queryKeys.adminConfig(category) })
      // Last, so that the form no longer changes once its reader knows.
      notifySuccess(t('admin.saved'))
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
}

interface MessagePreviewProps {
  field: ConfigField
  fields: readonly ConfigField[]
  changed: Changes
}

/** Shows the e-mail that a message and its subject make, as they are typed. */
function MessagePreview({ field: { key }, fields, changed }: MessagePreviewProps) {
  const { t } = useTranslation()
  const template = mailTemplateNames.find((name) => key === `email.${name}Message`)
  if (!template) return null
  const textOf = (key: ConfigField['key']) =>
    String(changed[key] ?? fields.find((field) => field.key === key)?.initial ?? '')
  const subject = textOf(`email.${template}Subject`)
  return (
    <div>
      <MailPreview
        label={configTexts(t, key).label}
        draft={{ template, subject, message: textOf(key) }}
      />
    </div>
  )
}

/** `undefined` takes back what was typed. */
function withChange(changed: Changes, { key }: ConfigField, value: Changes[typeof key]): Changes {
  const { [key]: _before, ...others } = changed
  return value === undefined ? others : { ...others, [key]: value }
}
