export interface Waker {
  /** May be called at any time; a wake nobody waits for is remembered. */
  wake(): void
  /** Lets the whole time pass, then says whether a wake came before its end, and forgets it. */
  wakesWithin(ms: number): Promise<boolean>
  /** Resolves at the next wake, at once for a remembered one, and after `ms` at the latest. */
  nextWake(ms: number): Promise<void>
  /** Lets the time pass, whatever comes. */
  pause(ms: number): Promise<void>
  /** Ends every wait, now and later. */
  end(): void
}

export function createWaker(): Waker {
  let woken = false
  let ended = false
  let resolveWait = () => {}
  let waitsForWake = false

  function wait(ms: number, untilWoken: boolean): Promise<void> {
    if (ended || (untilWoken && woken)) return Promise.resolve()
    waitsForWake = untilWoken
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolveWait(), ms)
      resolveWait = () => {
        clearTimeout(timer)
        waitsForWake = false
        resolve()
      }
    })
  }

  return {
    wake: () => {
      woken = true
      if (waitsForWake) resolveWait()
    },
    wakesWithin: async (ms) => {
      await wait(ms, false)
      const came = woken
      woken = false
      return came
    },
    nextWake: async (ms) => {
      await wait(ms, true)
      woken = false
    },
    pause: (ms) => wait(ms, false),
    end: () => {
      ended = true
      resolveWait()
    },
  }
}
