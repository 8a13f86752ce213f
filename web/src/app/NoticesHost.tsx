import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications, notifications } from '@mantine/notifications'
import type { NoticeRequest } from '../shared/notify.ts'

const AUTO_CLOSE_MS = 4000

export function NoticesHost() {
  return <Notifications position="bottom-right" autoClose={AUTO_CLOSE_MS} limit={5} />
}

export function applyNotice(request: NoticeRequest): void {
  if ('prepare' in request) return
  if ('hide' in request) {
    notifications.hide(request.hide)
    return
  }
  const { isSticky = false, ...notice } = request.show
  const data = { ...notice, autoClose: isSticky ? (false as const) : AUTO_CLOSE_MS }
  // `show` leaves a notice of the same id alone, `update` ignores one that is not there.
  notifications.show(data)
  if (notice.id !== undefined) notifications.update({ ...data, id: notice.id })
}
