import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LinkedText } from '../../../shared/components/LinkedText.tsx'
import classes from './ShareHead.module.css'

interface ShareHeadProps {
  name: string
  description: string | null | undefined
  /** Who sent it, if visitors are told. */
  sender: string | null
  /** How many files, and how large. */
  summary: string
  /** When it ends. */
  end: ReactNode
  /** Stands beside it. */
  children?: ReactNode
}

/** What a share is. */
export function ShareHead({ name, description, sender, summary, end, children }: ShareHeadProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.head}>
      <div className={classes.words}>
        <Title order={1} size="h2" className={classes.title}>
          <bdi>{name}</bdi>
        </Title>
        {description && (
          <Text className={classes.description}>
            <LinkedText text={description} />
          </Text>
        )}
        <Text size="sm" c="dimmed" className={classes.facts ?? ''}>
          {sender !== null && (
            <>
              <bdi>{t('share.sentBy', { name: sender })}</bdi> ·{' '}
            </>
          )}
          <bdi>{summary}</bdi> · <bdi>{end}</bdi>
        </Text>
      </div>
      {children}
    </div>
  )
}
