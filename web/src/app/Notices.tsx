import { type ComponentType, useEffect, useState } from 'react'
import { NOTICE_EVENT, type NoticeRequest } from '../shared/notify.ts'
import { whenIdle } from '../shared/prefetch.ts'

type Host = typeof import('./NoticesHost.tsx')

/** Loads once for all that wait, so that notices appear in the order in which they were asked for. */
function createLoader(): () => Promise<Host> {
  let loading: Promise<Host> | null = null
  return () => {
    loading ??= import('./NoticesHost.tsx').catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
}

/** Where notices appear, once there is one. */
export function Notices() {
  const [Host, setHost] = useState<ComponentType | null>(null)
  useEffect(() => {
    const loadHost = createLoader()
    const listen = (event: Event) => {
      const { detail } = event as CustomEvent<NoticeRequest>
      const show = ({ NoticesHost, applyNotice }: Host) => {
        setHost(() => NoticesHost)
        applyNotice(detail)
      }
      loadHost().then(show, () => undefined)
    }
    // Many notices say that the server is away, when nothing can be loaded any more. So the first
    // thing somebody does here fetches what draws them, once its own effect is seen.
    const prepare = () => whenIdle(() => void loadHost().catch(() => undefined))
    window.addEventListener(NOTICE_EVENT, listen)
    window.addEventListener('pointerdown', prepare, { once: true })
    window.addEventListener('keydown', prepare, { once: true })
    return () => {
      window.removeEventListener(NOTICE_EVENT, listen)
      window.removeEventListener('pointerdown', prepare)
      window.removeEventListener('keydown', prepare)
    }
  }, [])
  return Host && <Host />
}
