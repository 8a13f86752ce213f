import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications, notifications } from '@mantine/notifications'
import type { NoticeRequest } from '../shared/notify.ts'
import { UndoMessage } from './UndoMessage.tsx'

const AUTO_CLOSE_MS = 4000
/** Time to read, to think again and to get there. */
const UNDO_CLOSE_MS = 10_000

export function NoticesHost() {
  const isRightToLeft = document.documentElement.dir === 'rtl'
  const position = isRightToLeft ? 'bottom-left' : 'bottom-right'
  return <Notifications position={position} autoClose={AUTO_CLOSE_MS} limit={5} />
}

export function applyNotice(request: NoticeRequest): void {
  if ('prepare' in request) return
  if ('hide' in request) {
    notifications.hide(request.hide)
    return
  }
  const { isSticky = false, undo, message, ...notice } = request.show
  if (undo) {
    const id = notifications.show({
      ...notice,
      autoClose: UNDO_CLOSE_MS,
      message: (
        <UndoMessage
          message={message}
          label={undo.label}
          onUndo={() => {
            notifications.hide(id)
            undo.run()
          }}
        />
      ),
    })
    return
  }
  const data = { ...notice, message, autoClose: isSticky ? (false as const) : AUTO_CLOSE_MS }
  // `show` leaves a notice of the same id alone, `update` ignores one that is not there.
  notifications.show(data)
  if (notice.id !== undefined) notifications.update({ ...data, id: notice.id })
}
