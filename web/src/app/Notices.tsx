import { type ComponentType, useEffect, useState } from 'react'
import { NOTICE_EVENT, type NoticeRequest } from '../shared/notify.ts'

/** Where notices appear, once there is one. */
export function Notices() {
  const [Host, setHost] = useState<ComponentType | null>(null)
  useEffect(() => {
    const listen = (event: Event) => {
      const { detail } = event as CustomEvent<NoticeRequest>
      void import('./NoticesHost.tsx').then(({ NoticesHost, applyNotice }) => {
        setHost(() => NoticesHost)
        applyNotice(detail)
      })
    }
    window.addEventListener(NOTICE_EVENT, listen)
    return () => window.removeEventListener(NOTICE_EVENT, listen)
  }, [])
  return Host && <Host />
}
