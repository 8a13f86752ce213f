export interface Notifier {
  /** May be called at any time; a notification nobody waits for is remembered. */
  notify(): void
  /** Lets the whole time pass, then says whether one came before its end, and forgets it. */
  notifiedWithin(ms: number): Promise<boolean>
  /** Resolves at the next notification, at once for a remembered one, and after `ms` at the latest. */
  nextNotification(ms: number): Promise<void>
  /** Lets the whole time pass, notified or not. */
  pause(ms: number): Promise<void>
  /** Ends every wait, now and later. */
  end(): void
}

export function createNotifier(): Notifier {
  let isNotified = false
  let isEnded = false
  let resolveWait = () => {}
  let waitsForNotification = false

  function wait(ms: number, untilNotified: boolean): Promise<void> {
    if (isEnded || (untilNotified && isNotified)) return Promise.resolve()
    waitsForNotification = untilNotified
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolveWait(), ms)
      resolveWait = () => {
        clearTimeout(timer)
        waitsForNotification = false
        resolve()
      }
    })
  }

  return {
    notify: () => {
      isNotified = true
      if (waitsForNotification) resolveWait()
    },
    notifiedWithin: async (ms) => {
      await wait(ms, false)
      const came = isNotified
      isNotified = false
      return came
    },
    nextNotification: async (ms) => {
      await wait(ms, true)
      isNotified = false
    },
    pause: (ms) => wait(ms, false),
    end: () => {
      isEnded = true
      resolveWait()
    },
  }
}
