import { Button, Stack } from '@mantine/core'
import { mailTemplateNames } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { fetchSettings } from '../../../shared/api/fetch-settings.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { LeaveDialog } from '../../../shared/components/LeaveDialog.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { renewSiteStyles } from '../../../shared/site-styles.ts'
import type { Category } from '../../../shared/settings/setting-places.ts'
import { updateAdminConfig } from '../api/admin-config.ts'
import {
  type Changes,
  changesOf,
  type ConfigField,
  type FieldValue,
  groupFields,
  isWellFormed,
} from '../config-fields.ts'
import { configTexts } from '../../../shared/settings/config-texts.ts'
import { useAddressedSetting } from '../use-addressed-setting.ts'
import classes from './ConfigForm.module.css'
import { ConfigRow } from './ConfigRow.tsx'
import { MailPreview } from './MailPreview.tsx'
import { ProviderGroup } from './ProviderGroup.tsx'

interface ConfigFormProps {
  category: Category
  fields: readonly ConfigField[]
  /** What was read from the server is drawn anew, without what its fields hold of before. */
  version?: number
  /** Between the settings and the bar that saves them. */
  children?: ReactNode
}

/** Every setting of a category; only what was changed is sent. */
export function ConfigForm({ category, fields, version, children }: ConfigFormProps) {
  const { t } = useTranslation()
  const formId = useId()
  const [changed, setChanged] = useState<Changes>({})
  const addressed = useAddressedSetting()
  const changes = changesOf(fields, changed)
  const save = useSaveConfig({ category, changes, onSaved: () => setChanged({}) })
  const isMalformed = fields.some((field) => {
    const value = changed[field.key]
    return value !== undefined && !isWellFormed(field, value)
  })

  const change = useCallback(
    (field: ConfigField, value: FieldValue | undefined) =>
      setChanged((before) => withChange(before, field, value)),
    [],
  )

  function rowsOf(group: readonly ConfigField[]) {
    return group.map((field) => (
      <ConfigRow
        key={field.key}
        field={field}
        value={changed[field.key]}
        isChanged={changes.some(({ key }) => key === field.key)}
        onChange={change}
      >
        {isMessage(field) && <MessagePreview field={field} fields={fields} changed={changed} />}
      </ConfigRow>
    ))
  }

  return (
    <>
      <form
        key={version}
        id={formId}
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
                <ProviderGroup
                  provider={provider}
                  isOpen={isInUse(group, changed) || isAmong(group, addressed)}
                >
                  {rowsOf(group)}
                </ProviderGroup>
              )}
            </Panel>
          ))}
        </Stack>
      </form>
      {children}
      <div className={classes.actions}>
        <Button
          type="submit"
          form={formId}
          disabled={changes.length === 0 || isMalformed}
          loading={save.isPending}
        >
          {t('common.save')}
        </Button>
      </div>
      <LeaveDialog
        isNeeded={changes.length > 0 && !save.isPending}
        title={t('edit.discard.title')}
        text={t('admin.leave')}
        action={t('edit.discard.action')}
      />
    </>
  )
}

const isAmong = (group: readonly ConfigField[], setting: string) =>
  group.some(({ key }) => key === setting)

/** A provider that is offered, or that something was entered for. */
function isInUse(group: readonly ConfigField[], changed: Changes): boolean {
  return group.some(({ key, initial }) =>
    key.endsWith('-enabled') ? (changed[key] ?? initial) === true : changed[key] !== undefined,
  )
}

interface SaveProps {
  category: Category
  changes: ReturnType<typeof changesOf>
  onSaved: () => void
}

function useSaveConfig({ category, changes, onSaved }: SaveProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const { changeSettings } = useSession()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  return useMutation({
    mutationFn: () => updateAdminConfig(http, changes),
    onSuccess: async () => {
      changeSettings(await fetchSettings(http))
      if (category === 'appearance') renewSiteStyles()
      await queryClient.invalidateQueries({ queryKey: queryKeys.adminConfig(category) })
      onSaved()
      // Last, so that the form no longer changes once its reader knows.
      notifySuccess(t('admin.saved'))
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
}

const templateOf = (key: ConfigField['key']) =>
  mailTemplateNames.find((name) => key === `email.${name}Message`)

const isMessage = ({ key }: ConfigField) => templateOf(key) !== undefined

interface MessagePreviewProps {
  field: ConfigField
  fields: readonly ConfigField[]
  changed: Changes
}

/** Shows the e-mail that a message and its subject make, as they are typed. */
function MessagePreview({ field: { key }, fields, changed }: MessagePreviewProps) {
  const { t } = useTranslation()
  const template = templateOf(key)
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
function withChange(
  changed: Changes,
  { key }: ConfigField,
  value: FieldValue | undefined,
): Changes {
  const { [key]: _before, ...others } = changed
  return value === undefined ? others : { ...others, [key]: value }
}
