import { findLegal, findPage, isLegalPage, type LegalPage, pages } from '@floe/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { fetchSettings } from '../../../shared/api/fetch-settings.ts'
import type { HttpClient } from '../../../shared/api/http-client.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { NotFound } from '../../../shared/components/NotFound.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import type { PageDataSource } from '../../../shared/page-data.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { LegalDocument } from '../components/LegalDocument.tsx'
import { toLegalTree } from '../to-legal-tree.ts'

const legalQuery = (http: HttpClient, page: LegalPage) =>
  queryOptions({
    queryKey: queryKeys.legal(page),
    queryFn: async () => {
      const legal = findLegal(page, await fetchSettings(http))
      return legal && 'text' in legal ? toLegalTree(legal.text) : null
    },
  })

const pageAt = (path: string): LegalPage => {
  const page = findPage(path)
  return isLegalPage(page) ? page : 'imprint'
}

export async function fetchData({ path, http, queryClient }: PageDataSource): Promise<void> {
  await queryClient.prefetchQuery(legalQuery(http, pageAt(path)))
}

/** The imprint or the privacy policy, as the operator wrote it. */
export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const page = pageAt(useLocation().pathname)
  const legal = useQuery(legalQuery(http, page))
  const title = t(pages[page].title)
  return (
    <>
      <PageTitle>{legal.data === null ? t('notFound.title') : title}</PageTitle>
      {legal.data && <LegalDocument title={title} tree={legal.data} />}
      {legal.data === null && <NotFound />}
      {legal.isError && <PageColumn>{errorMessage(legal.error)}</PageColumn>}
    </>
  )
}
