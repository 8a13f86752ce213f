import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { LinkField } from '../../../shared/share/LinkField.tsx'
import { useShareLink } from '../../../shared/share/use-share-link.ts'
import { isShareIdAvailable } from '../api/share-id-availability.ts'
import type { ShareFields } from '../use-share-fields.ts'

interface ShareLinkFieldProps extends ShareFields {
  /** The link that the share has so far: nobody else has it. */
  ownId?: string
}

/** The link of a new share. */
export function ShareLinkField({ form, generateLink, ownId }: ShareLinkFieldProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const preview = useShareLink(form.values.id)
  return (
    <LinkField
      path="id"
      kind="share"
      label={t('upload.create.link')}
      value={form.values.id}
      error={form.errors['id']}
      preview={preview}
      isOwnWording={form.isDirty('id')}
      isAvailable={async (id, signal) =>
        id === ownId || (await isShareIdAvailable(http, id, signal))
      }
      onChange={(id) => form.setFieldValue('id', id)}
      onGenerate={generateLink}
    />
  )
}
