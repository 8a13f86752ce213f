import { Alert, Button, FileButton, Group, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { type ErrorCode, MOST_LOGO_BYTES } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Panel } from '../../../shared/components/Panel.tsx'
import { SiteLogo } from '../../../shared/components/SiteLogo.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { useSession } from '../../../shared/session/session.ts'
import { removeLogo, setLogo } from '../api/logo.ts'
import classes from './LogoPanel.module.css'

const EDGE = 96

/** The logo of the site: what it is, another one, and the way back. */
export function LogoPanel() {
  const { t } = useTranslation()
  const http = useHttp()
  const format = useFormat()
  const errorMessage = useErrorMessage()
  const { logo, changeLogo } = useSession()
  const [chosen, setChosen] = useState<File | null>(null)
  const save = useMutation({
    mutationFn: (file: File) => setLogo(http, file),
    onSuccess: (version) => {
      changeLogo(version)
      setChosen(null)
      notifySuccess(t('admin.logo.saved'))
    },
    // Beside the reason stands the logo that stays.
    onError: () => setChosen(null),
  })
  const reset = useMutation({
    mutationFn: () => removeLogo(http),
    onSuccess: () => {
      changeLogo(null)
      notifySuccess(t('admin.logo.removed'))
    },
    onError: (error) => notifyError(errorMessage(error)),
  })

  function choose(file: File | null) {
    save.reset()
    setChosen(file)
  }

  return (
    <Panel p="lg" id="logo">
      <Group gap="xl" align="flex-start" wrap="nowrap" className={classes.panel}>
        {chosen ? (
          <ChosenLogo file={chosen} />
        ) : (
          <SiteLogo edge={EDGE} alt={t('admin.logo.now')} className={classes.logo} />
        )}
        <Stack gap="md" flex={1}>
          <div>
            <Title order={2} size="h4">
              {t('admin.logo.title')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('admin.logo.help', { size: format.size(MOST_LOGO_BYTES) })}
            </Text>
          </div>
          <div aria-live="polite">{save.isError && <Refusal error={save.error} />}</div>
          <Group gap="sm">
            {chosen ? (
              <Button loading={save.isPending} onClick={() => save.mutate(chosen)}>
                {t('admin.logo.save')}
              </Button>
            ) : (
              <FileButton accept="image/png" onChange={choose}>
                {(button) => (
                  <Button {...button} variant="default">
                    {t('admin.logo.choose')}
                  </Button>
                )}
              </FileButton>
            )}
            {chosen && (
              <Button variant="default" disabled={save.isPending} onClick={() => choose(null)}>
                {t('common.cancel')}
              </Button>
            )}
            {!chosen && logo !== null && (
              <Button variant="subtle" loading={reset.isPending} onClick={() => reset.mutate()}>
                {t('admin.logo.reset')}
              </Button>
            )}
          </Group>
        </Stack>
      </Group>
    </Panel>
  )
}

/** As the browser shows it; whether it becomes the logo is for the server to say. */
function ChosenLogo({ file }: { file: File }) {
  const { t } = useTranslation()
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <img
      src={url}
      alt={t('admin.logo.chosen', { name: file.name })}
      width={EDGE}
      height={EDGE}
      className={classes.logo}
    />
  )
}

const reasons = {
  logo_too_big: 'admin.logo.tooBig',
  logo_not_png: 'admin.logo.notPng',
  logo_too_many_pixels: 'admin.logo.tooManyPixels',
  logo_not_square: 'admin.logo.notSquare',
  logo_animated: 'admin.logo.animated',
  logo_damaged: 'admin.logo.damaged',
  pictures_unavailable: 'admin.logo.unavailable',
} as const satisfies Partial<Record<ErrorCode, string>>

function Refusal({ error }: { error: Error }) {
  const { t } = useTranslation()
  const format = useFormat()
  const errorMessage = useErrorMessage()
  const known: Partial<Record<string, (typeof reasons)[keyof typeof reasons]>> = reasons
  const reason = error instanceof ApiError && error.code !== null ? known[error.code] : undefined
  return (
    <Alert color="red" title={t('admin.logo.refused')}>
      {reason ? t(reason, { size: format.size(MOST_LOGO_BYTES) }) : errorMessage(error)}
    </Alert>
  )
}
