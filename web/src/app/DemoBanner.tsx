import type { Demo } from '@floe/contracts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../shared/format/use-format.ts'
import { useSession } from '../shared/session/session.ts'
import classes from './DemoBanner.module.css'

const TICK_MS = 10_000

/** On every page of a demo: when everything is deleted, and how to sign in until then. */
export function DemoBanner() {
  const { demo } = useSession()
  return demo ? <Banner demo={demo} /> : null
}

function Banner({ demo: { username, password, resetEveryMs } }: { demo: Demo }) {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  const nextReset = new Date((Math.floor(now / resetEveryMs) + 1) * resetEveryMs)
  return (
    <aside className={classes.banner} aria-label={t('nav.demo.label')}>
      <strong>{t('nav.demo.label')}</strong>{' '}
      <span>{t('nav.demo.reset', { time: format.timeLeft(nextReset) })}</span>{' '}
      <span>
        {t('nav.demo.administrator')} <bdi className={classes.value}>{username}</bdi>
      </span>{' '}
      <span>
        {t('nav.demo.password')} <bdi className={classes.value}>{password}</bdi>
      </span>{' '}
      <span>{t('nav.demo.mail')}</span>
    </aside>
  )
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
