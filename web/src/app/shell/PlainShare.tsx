import {
  type FormRefusal as FormRefusalCode,
  formatSize,
  type ShareContents,
  sharePagePath,
  type SharePage,
  type SharePreview,
  type ShareRefusal,
  visibleName,
} from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { apiPaths, paths } from '../../shared/paths.ts'
import { isRemoved, scanNote } from '../../shared/scan-note.ts'

/** How people without JavaScript get the files of a share; `plain.css` styles it. */
export function PlainShare({ share }: { share: SharePage }) {
  const { id, contents, preview, refusal } = share
  if (contents?.isEncrypted) return <Encrypted />
  if (contents) return <Contents id={id} contents={contents} />
  if (preview?.isEncrypted) return <Encrypted />
  if (preview) return <Closed share={share} preview={preview} />
  if (refusal?.isEncrypted) return <Encrypted isWholePage />
  if (refusal?.code === 'share_password_required') return <Locked share={share} />
  if (refusal?.code === 'share_recipient_required') return <ForRecipients share={share} />
  return <DeadEnd id={id} refusal={refusal} />
}

function Contents({ id, contents }: { id: string; contents: ShareContents }) {
  const { t, i18n } = useTranslation()
  const { files, fileCount } = contents
  const unlisted = fileCount - files.length
  return (
    <>
      {(fileCount > 1 || contents.coming) && <Download id={id} preview={contents} />}
      {files.length > 0 && (
        <ul className="panel">
          {files.map((file) => (
            <li key={file.id}>
              {isRemoved(file.scan) ? (
                <bdi>{visibleName(file.name)}</bdi>
              ) : (
                <a href={apiPaths.file(id, file.id)} download>
                  <bdi>{visibleName(file.name)}</bdi>
                </a>
              )}
              <span className="size">
                <bdi>{scanNote(t, file.scan)}</bdi>{' '}
                <bdi>{formatSize(file.sizeBytes, i18n.language)}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
      {unlisted > 0 && (
        <p>
          <a href={`${sharePagePath(id)}?show=all`}>
            {t('share.folders.more', { count: unlisted })}
          </a>
        </p>
      )}
    </>
  )
}

/** Of the link only what comes before its fragment reaches a server, so it cannot be repeated here. */
function Encrypted({ isWholePage = false }) {
  const { t } = useTranslation()
  const Heading = isWholePage ? 'h1' : 'h2'
  return (
    <>
      <Heading>{t('share.encrypted.title')}</Heading>
      <p className="dimmed">{t('share.encrypted.text')}</p>
      <p>
        <code>floe get LINK</code>
      </p>
    </>
  )
}

/** Following it is a view, unless it was opened before; crawlers are asked not to. */
function Download({ id, preview }: { id: string; preview: SharePreview }) {
  const { t } = useTranslation()
  const left = preview.coming?.fileCount ?? 0
  if (left > 0) return <p>{t('share.coming.more', { count: left })}</p>
  if (preview.download === null) return <p>{t('share.preparing')}</p>
  return (
    <p>
      <a className="button" href={apiPaths.file(id, preview.download)} rel="nofollow" download>
        {preview.fileCount === 1 ? t('share.preview.download') : t('share.downloadAll')}
      </a>
    </p>
  )
}

/** Opening it is a view, so it takes a press: fetching the page does not count. */
function Closed({ share, preview }: { share: SharePage; preview: SharePreview }) {
  return (
    <>
      <FormRefusal share={share} />
      <Download id={share.id} preview={preview} />
      <OpenForm id={share.id} />
    </>
  )
}

function Locked({ share }: { share: SharePage }) {
  const { t } = useTranslation()
  return (
    <>
      <h1>{t('share.password.title')}</h1>
      <p className="dimmed">{t('share.password.text')}</p>
      <FormRefusal share={share} />
      <OpenForm id={share.id} asksPassword />
    </>
  )
}

/** One form asks for a code, the other one takes it. */
function ForRecipients({ share }: { share: SharePage }) {
  const { t } = useTranslation()
  const { id, formRefusal, isCodeRequested } = share
  const asksPassword = formRefusal === 'share_password_required' || formRefusal === 'wrong_password'
  return (
    <>
      <h1>{t('share.recipient.title')}</h1>
      <p className="dimmed">{t('share.recipient.text')}</p>
      <FormRefusal share={share} />
      {isCodeRequested && <p role="status">{t('share.recipient.sent')}</p>}
      <form method="post" action={`/api/shares/${encodeURIComponent(id)}/codeByForm`}>
        <label htmlFor="plain-email">{t('share.recipient.email')}</label>
        <input id="plain-email" type="email" name="email" maxLength={254} required />
        <button className="button">{t('share.recipient.send')}</button>
      </form>
      <OpenForm id={id} asksCode asksPassword={asksPassword} />
    </>
  )
}

interface OpenFormProps {
  id: string
  asksPassword?: boolean
  /** Of a recipient, with the address that it was sent to. */
  asksCode?: boolean
}

function OpenForm({ id, asksPassword = false, asksCode = false }: OpenFormProps) {
  const { t } = useTranslation()
  return (
    <form method="post" action={`/api/shares/${encodeURIComponent(id)}/open`}>
      {asksCode && (
        <>
          <label htmlFor="plain-code-email">{t('share.recipient.email')}</label>
          <input id="plain-code-email" type="email" name="email" maxLength={254} required />
          <label htmlFor="plain-code">{t('share.recipient.code')}</label>
          <input
            id="plain-code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={32}
            required
          />
        </>
      )}
      {asksPassword && (
        <>
          <label htmlFor="plain-password">{t('share.password.label')}</label>
          <input
            id="plain-password"
            type="password"
            name="password"
            autoComplete="off"
            maxLength={1024}
            required
          />
        </>
      )}
      <button className="button">{t('share.password.submit')}</button>
    </form>
  )
}

const formRefusalTexts = {
  wrong_password: 'share.password.invalid',
  share_password_required: 'share.password.text',
  invalid_share_code: 'errors.invalidCode',
  too_many_requests: 'errors.tooManyRequests',
} as const satisfies Record<FormRefusalCode, string>

function FormRefusal({ share: { formRefusal } }: { share: SharePage }) {
  const { t } = useTranslation()
  if (formRefusal === null) return null
  return (
    <p className="error" role="alert">
      {t(formRefusalTexts[formRefusal])}
    </p>
  )
}

function DeadEnd({ id, refusal }: { id: string; refusal: ShareRefusal | null }) {
  const { t } = useTranslation()
  const { title, text } = useRefusal(refusal)
  return (
    <>
      <h1>{title}</h1>
      <p className="dimmed">
        <bdi>{text}</bdi>
      </p>
      <p>
        {refusal?.code === null ? (
          <a className="button" href={sharePagePath(id)}>
            {t('common.tryAgain')}
          </a>
        ) : (
          <a className="button" href={paths.home}>
            {t('notFound.home')}
          </a>
        )}
      </p>
    </>
  )
}

function useRefusal(refusal: ShareRefusal | null): { title: string; text: string } {
  const { t } = useTranslation()
  switch (refusal?.code) {
    case 'share_max_views_exceeded':
      return { title: t('share.deadEnd.views.title'), text: t('share.deadEnd.views.text') }
    case 'share_being_scanned':
      return { title: t('share.scan.waiting'), text: t('errors.beingScanned') }
    case 'share_not_found':
      return { title: t('share.deadEnd.notFound.title'), text: t('share.deadEnd.notFound.text') }
    case 'private_share':
      return { title: t('share.deadEnd.private.title'), text: t('share.deadEnd.private.text') }
    case 'share_removed':
      // The person who removed it wrote the reason.
      return { title: t('share.deadEnd.removed.title'), text: refusal.message }
    default:
      return { title: t('share.deadEnd.unknown.title'), text: t('share.deadEnd.unknown.text') }
  }
}
