import { type ComponentType, useEffect, useState } from 'react'
import { NOTICE_EVENT, type NoticeRequest } from '../shared/notify.ts'
import { whenIdle } from '../shared/prefetch.ts'

const loadHost = () => import('./NoticesHost.tsx')

/** Where notices appear, once there is one. */
export function Notices() {
  const [Host, setHost] = useState<ComponentType | null>(null)
  useEffect(() => {
    const listen = (event: Event) => {
      const { detail } = event as CustomEvent<NoticeRequest>
      const show = ({ NoticesHost, applyNotice }: Awaited<ReturnType<typeof loadHost>>) => {
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
