import { Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../shared/components/Dialog.tsx'
import { addRestOfCatalogue } from '../../shared/i18n/i18n.ts'
import { readPreferences, writePreferences } from '../../shared/session/preferences.ts'
import { isApple, SHORTCUTS_EVENT, UNDO_KEYS } from '../../shared/shortcuts.ts'
import { shortcutOf } from './shortcut-of.ts'
import classes from './ShortcutsHost.module.css'

/** Does what the element for this key does: the page's own, which comes behind the bar's. */
function press(key: string): boolean {
  const element = [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${key}"]`)].at(-1)
  if (!element || element.matches(':disabled')) return false
  if (element.matches('input')) element.focus()
  else element.click()
  return true
}

/** Listens for shortcuts, from the event that loaded it on, and shows the sheet of them. */
export function ShortcutsHost({ first }: { first: Event }) {
  const { i18n } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const open = () =>
    void addRestOfCatalogue(i18n).then(
      () => setOpen(true),
      () => undefined,
    )

  const handle = useEffectEvent((event: Event) => {
    if (event.type === SHORTCUTS_EVENT) return open()
    if (!(event instanceof KeyboardEvent)) return
    const key = shortcutOf(event)
    // No single key, and a notice lies in front of dialogs too.
    if (key === 'undo' && press(UNDO_KEYS)) return event.preventDefault()
    // A dialog in front asks about something else.
    if (key === null || key === 'undo' || document.querySelector('[role="dialog"]')) return
    if (readPreferences(window.localStorage).shortcuts === false) return
    if (key === '?') open()
    else if (press(key)) event.preventDefault()
  })
  useEffect(() => {
    const controller = new AbortController()
    handle(first)
    for (const type of ['keydown', SHORTCUTS_EVENT]) {
      window.addEventListener(type, (event) => handle(event), { signal: controller.signal })
    }
    return () => controller.abort()
  }, [first])

  return <Sheet opened={isOpen} onClose={() => setOpen(false)} />
}

function Sheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('nav.shortcuts')}>
      <Keys />
      <Choice />
    </Dialog>
  )
}

function Keys() {
  const { t } = useTranslation()
  const isRightToLeft = document.documentElement.dir === 'rtl'
  const command = (letter: string) => (isApple() ? `⌘ ${letter}` : `Ctrl ${letter}`)
  const rows = [
    [command('K'), t('nav.palette')],
    ['u', t('nav.upload')],
    ['s', t('upload.share')],
    ['/', t('shortcuts.search')],
    [isRightToLeft ? '→' : '←', t('share.preview.previous')],
    [isRightToLeft ? '←' : '→', t('share.preview.next')],
    [command('Z'), t('undo.action')],
    ['Esc', t('common.close')],
    ['?', t('nav.shortcuts')],
  ] as const
  return (
    <dl className={classes.list}>
      {rows.map(([key, text]) => (
        <Row key={key} name={key} text={text} />
      ))}
    </dl>
  )
}

function Row({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>
        <kbd dir="ltr" className={classes.key}>
          {name}
        </kbd>
      </dt>
      <dd>{text}</dd>
    </>
  )
}

/** Single keys get in the way of those who speak to their computer: they can be turned off. */
function Choice() {
  const { t } = useTranslation()
  const [preferences, setPreferences] = useState(() => readPreferences(window.localStorage))
  return (
    <Switch
      label={t('shortcuts.use')}
      checked={preferences.shortcuts ?? true}
      onChange={(event) => {
        const next = { ...preferences, shortcuts: event.currentTarget.checked }
        setPreferences(next)
        writePreferences(window.localStorage, next)
      }}
    />
  )
}
