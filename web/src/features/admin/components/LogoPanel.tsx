import { Alert, Button, FileButton, Group, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { type ErrorCode, type LogoVariant, MOST_LOGO_BYTES } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Panel } from '../../../shared/components/Panel.tsx'
import { LogoImage } from '../../../shared/components/SiteLogo.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { useSession } from '../../../shared/session/session.ts'
import { removeLogo, setLogo } from '../api/logo.ts'
import classes from './LogoPanel.module.css'

const EDGE = 96

const texts = {
  light: {
    id: 'logo',
    title: 'admin.logo.title',
    help: 'admin.logo.help',
    reset: 'admin.logo.reset',
    removed: 'admin.logo.removed',
  },
  dark: {
    id: 'dark-logo',
    title: 'admin.darkLogo.title',
    help: 'admin.darkLogo.help',
    reset: 'admin.darkLogo.reset',
    removed: 'admin.darkLogo.removed',
  },
} as const satisfies Record<LogoVariant, Record<string, string>>

/** A logo of the site on the ground it is for: what it is, another one, and the way back. */
export function LogoPanel({ variant }: { variant: LogoVariant }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { logos } = useSession()
  const { chosen, choose, save, reset } = useLogoChange(variant)
  const text = texts[variant]
  const titleId = useId()

  return (
    <Panel p="lg" id={text.id}>
      <Group
        gap="xl"
        align="flex-start"
        wrap="nowrap"
        className={classes.panel}
        role="group"
        aria-labelledby={titleId}
      >
        {chosen ? (
          <ChosenLogo file={chosen} className={classes[variant]} />
        ) : (
          <LogoImage
            variant={variant}
            edge={EDGE}
            alt={t('admin.logo.now')}
            className={classes[variant]}
          />
        )}
        <Stack gap="md" flex={1}>
          <div>
            <Title order={2} size="h4" id={titleId}>
              {t(text.title)}
            </Title>
            <Text size="sm" c="dimmed">
              {t(text.help, { size: format.size(MOST_LOGO_BYTES) })}
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
            {!chosen && logos[variant] !== null && (
              <Button variant="subtle" loading={reset.isPending} onClick={() => reset.mutate()}>
                {t(text.reset)}
              </Button>
            )}
          </Group>
        </Stack>
      </Group>
    </Panel>
  )
}

function useLogoChange(variant: LogoVariant) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const { changeLogo } = useSession()
  const [chosen, setChosen] = useState<File | null>(null)
  const save = useMutation({
    mutationFn: (file: File) => setLogo(http, { variant, file }),
    onSuccess: (version) => {
      changeLogo(variant, version)
      setChosen(null)
      notifySuccess(t('admin.logo.saved'))
    },
    // Beside the reason stands the logo that stays.
    onError: () => setChosen(null),
  })
  const reset = useMutation({
    mutationFn: () => removeLogo(http, variant),
    onSuccess: () => {
      changeLogo(variant, null)
      notifySuccess(t(texts[variant].removed))
    },
    onError: (error) => notifyError(errorMessage(error)),
  })

  function choose(file: File | null) {
    save.reset()
    setChosen(file)
  }

  return { chosen, choose, save, reset }
}

/** As the browser shows it; whether it becomes the logo is for the server to say. */
function ChosenLogo({ file, className }: { file: File; className: string | undefined }) {
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
      className={className}
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
