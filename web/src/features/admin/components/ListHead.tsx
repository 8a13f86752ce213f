import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { SearchBar } from '../../../shared/list/SearchBar.tsx'
import { paths } from '../../../shared/paths.ts'
import { ScreenTitle } from './ScreenTitle.tsx'

interface ListHeadProps {
  title: string
  searchLabel: string
  search: string
  onSearch: (text: string) => void
  /** What can be done with the list. */
  children?: ReactNode
}

/** The way back, the name of the list, and what it is narrowed down by. */
export function ListHead({ title, searchLabel, search, onSearch, children }: ListHeadProps) {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <ScreenTitle
        back={
          <PageLink to={paths.admin}>
            <IconArrowLeft size={16} aria-hidden="true" />
            {t('admin.back')}
          </PageLink>
        }
      >
        {title}
      </ScreenTitle>
      <SearchBar label={searchLabel} search={search} onSearch={onSearch}>
        {children}
      </SearchBar>
    </>
  )
}
