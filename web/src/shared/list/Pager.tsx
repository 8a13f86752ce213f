import { Pagination, Text } from '@mantine/core'
import '@mantine/core/styles/Pagination.layer.css'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/use-format.ts'
import { ROWS_A_PAGE } from './list-query.ts'
import classes from './Pager.module.css'

interface PagerProps {
  page: number
  total: number
  onPage: (page: number) => void
}

/** Which rows of how many, and the way to the others. Stands below the list. */
export function Pager({ page, total, onPage }: PagerProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const place = useRef<HTMLElement>(null)
  const pages = Math.ceil(total / ROWS_A_PAGE)
  const first = (page - 1) * ROWS_A_PAGE + 1
  return (
    <nav ref={place} className={classes.pager} aria-label={t('admin.list.pages')}>
      <Text size="sm" c="dimmed" role="status">
        {t('admin.list.range', {
          first: format.count(first),
          last: format.count(Math.min(total, first + ROWS_A_PAGE - 1)),
          total: format.count(total),
        })}
      </Text>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={(next) => {
            onPage(next)
            // They are read from their beginning.
            place.current?.previousElementSibling?.scrollIntoView({ block: 'start' })
          }}
          siblings={1}
          getItemProps={(number) => ({
            'aria-label': t('admin.list.page', { number: format.count(number) }),
          })}
          getControlProps={(control) => ({
            'aria-label': t(control === 'next' ? 'admin.list.next' : 'admin.list.previous'),
            className: classes.arrow ?? '',
          })}
        />
      )}
    </nav>
  )
}
