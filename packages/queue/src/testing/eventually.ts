import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again until the result is truthy; rejects with `what` when it never is. */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  timeoutMs = 15_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const result = await ask()
    if (result) return result
    if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`)
    await sleep(20)
  }
}
