import { Alert, Button, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { configCatalogue, isPlaceholderUrl } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { fetchSettings } from '../../../shared/api/fetch-settings.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Art } from '../../../shared/art/Art.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { finishSetup } from '../api/finish-setup.ts'
import { ConfigRow } from '../components/ConfigRow.tsx'
import { type Changes, changesOf, type ConfigField, isWellFormed } from '../config-fields.ts'
import classes from './IntroPage.module.css'

/** What a new place needs to know first. */
const keys = ['general.appName', 'general.appUrl', 'share.allowRegistration'] as const

/** Greets the administrator who made the first account, once. */
export function Page() {
  const { t } = useTranslation()
  const { settings, isSetUp } = useSession()
  const errorMessage = useErrorMessage()
  const [changed, setChanged] = useState<Changes>(() => proposals(settings['general.appUrl']))
  const fields = keys.map((key): ConfigField => ({
    key,
    variable: configCatalogue[key],
    initial: settings[key],
    isFixed: false,
    secret: null,
  }))
  const finish = useFinishSetup(changesOf(fields, changed))
  const isMalformed = fields.some((field) => !isWellFormed(field, valueOf(field, changed)))
  if (isSetUp) return <Navigate to={finish.variables ?? paths.home} replace />

  return (
    <PageColumn>
      <PageTitle>{t('intro.title')}</PageTitle>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isMalformed) finish.mutate(paths.home)
        }}
      >
        <div className={classes.intro}>
          <Art scene="welcome" />
          <Title order={1}>{t('intro.welcome', { appName: settings['general.appName'] })}</Title>
          <Text c="dimmed" maw={480} size="lg">
            {t('intro.text')}
          </Text>
        </div>
        <Panel p="lg" className={classes.settings}>
          {fields.map((field) => (
            <ConfigRow
              key={field.key}
              field={field}
              value={changed[field.key]}
              onChange={({ key }, value) =>
                setChanged(({ [key]: _before, ...others }) =>
                  value === undefined ? others : { ...others, [key]: value },
                )
              }
            />
          ))}
        </Panel>
        <div aria-live="polite">
          {finish.isError && (
            <Alert color="red" mt="md" className={classes.settings}>
              {errorMessage(finish.error)}
            </Alert>
          )}
        </div>
        <div className={classes.actions}>
          <Button
            type="submit"
            size="md"
            fullWidth
            disabled={isMalformed}
            loading={finish.isPending}
          >
            {t('intro.start')}
          </Button>
          <Button
            size="md"
            fullWidth
            variant="default"
            disabled={isMalformed || finish.isPending}
            onClick={() => finish.mutate(paths.adminConfig('general'))}
          >
            {t('intro.configure')}
          </Button>
        </div>
      </form>
    </PageColumn>
  )
}

/** Saves the settings, and leads to the address it was called with. */
function useFinishSetup(changes: ReturnType<typeof changesOf>) {
  const http = useHttp()
  const session = useSession()
  return useMutation({
    mutationFn: async (_next: string) => {
      await finishSetup(http, changes)
      return fetchSettings(http)
    },
    onSuccess: (saved) => {
      session.changeSettings(saved)
      session.finishSetup()
    },
  })
}

/** The address that this page was opened at works. */
function proposals(appUrl: string): Changes {
  return isPlaceholderUrl(appUrl) ? { 'general.appUrl': window.location.origin } : {}
}

function valueOf({ key, initial }: ConfigField, changed: Changes) {
  return changed[key] ?? initial
}
