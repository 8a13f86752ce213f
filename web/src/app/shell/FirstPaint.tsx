import {
  isLegalPage,
  largestShareBytes,
  type PageName,
  pageRow,
  pages,
  type PageView,
} from '@floe/contracts'
import { Stack } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { AuthHead } from '../../features/auth/components/AuthCard.tsx'
import { Home } from '../../features/home/pages/HomePage.tsx'
import { LegalDocument } from '../../features/legal/components/LegalDocument.tsx'
import { UploadHead } from '../../features/upload/components/UploadHead.tsx'
import { NotFound } from '../../shared/components/NotFound.tsx'
import { Page } from '../../shared/components/Page.tsx'
import { useFormat } from '../../shared/format/use-format.ts'
import type { MarkdownTree } from '../../shared/markdown/markdown.ts'
import { useSession } from '../../shared/session/session.ts'
import { DropPreview } from '../../shared/upload/DropInvitation.tsx'
import { DemoBanner } from '../DemoBanner.tsx'
import { LegalFooter } from '../LegalFooter.tsx'
import { BarPreview } from '../NavigationBar.tsx'
import { isShown } from './share-texts.ts'
import { SharePreview } from './SharePreview.tsx'

interface FirstPaintProps {
  view: PageView
  page: PageName | null
  /** What a legal page says. */
  legal: MarkdownTree | null
}

/** The bar and the top of a page, where and as the application draws them. */
export function FirstPaint({ view, page, legal }: FirstPaintProps) {
  const { legal: legalLinks } = useSession()
  if (page !== null && pageRow(page).isBare) return null
  return (
    <>
      <DemoBanner />
      <BarPreview />
      <Main view={view} page={page} legal={legal} />
      {(legalLinks.imprint ?? legalLinks.privacy) !== null && (
        <noscript>
          <LegalFooter />
        </noscript>
      )}
    </>
  )
}

function Main({ view, page, legal }: FirstPaintProps) {
  const { t } = useTranslation()
  if (view.share !== null) return <SharePreview share={view.share} />
  if (isLegalPage(page) && legal) return <LegalDocument title={t(pages[page].title)} tree={legal} />
  if (page === null || isLegalPage(page)) return <NotFound />
  if (!isShown(page, view)) return null
  switch (page) {
    case 'home':
      return <Home />
    case 'signIn':
      return <AuthPreview title={t('auth.signIn.title')} />
    case 'signUp':
      return <AuthPreview title={t('auth.signUp.title')} />
    case 'upload':
      return <UploadPreview />
    default:
      return null
  }
}

/** Without its form: nothing would take what somebody fills in. */
function AuthPreview({ title }: { title: string }) {
  return (
    <Page width="narrow">
      <AuthHead title={title} />
    </Page>
  )
}

function UploadPreview() {
  const { t } = useTranslation()
  const { settings, user } = useSession()
  const format = useFormat()
  const maxBytes = largestShareBytes(settings, user)
  const hint =
    maxBytes > 0
      ? t('upload.drop.hintWithLimit', { maxSize: format.size(maxBytes) })
      : t('upload.drop.hint')
  return (
    <Page>
      <Stack gap="lg">
        <UploadHead
          heading={t('upload.title')}
          submit={{ label: t('upload.share'), icon: <IconShare size={18} /> }}
        />
        <DropPreview title={t('upload.drop.title')} hint={hint} />
      </Stack>
    </Page>
  )
}
