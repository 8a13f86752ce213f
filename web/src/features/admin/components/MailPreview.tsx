import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { type MailDraft, mailPreviewQuery } from '../api/preview-mail.ts'
import classes from './MailPreview.module.css'

/** Shows what was typed as a message, without saving or sending it. */
export function MailPreview({ draft, label }: { draft: MailDraft; label: string }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={t('admin.mailPreview.of', { label })}
        onClick={() => setIsOpen(true)}
      >
        {t('admin.mailPreview.open')}
      </Button>
      <Dialog
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        size="lg"
        title={t('admin.mailPreview.title')}
      >
        {isOpen && <Rendered draft={draft} />}
      </Dialog>
    </>
  )
}

function Rendered({ draft }: { draft: MailDraft }) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const { data, error } = useQuery(mailPreviewQuery(http, draft))
  if (error) return <Text c="var(--mantine-color-error)">{errorMessage(error)}</Text>
  if (!data) return <Skeleton height={360} radius="md" />
  return (
    <>
      <Text fw={600} mb="sm">
        {data.subject}
      </Text>
      {/* Without a right of its own: whatever was typed, it is only looked at. */}
      <iframe
        className={classes.message}
        sandbox=""
        srcDoc={data.html}
        title={t('admin.mailPreview.title')}
      />
      <Text size="sm" c="dimmed" mt="sm">
        {t('admin.mailPreview.hint')}
      </Text>
    </>
  )
}
