/** Something that waits until a test lets it go on. */
export interface Latch {
  opened: Promise<void>
  open: () => void
}

export function latch(): Latch {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Lets the event loop run what is due. */
export async function runPendingTasks(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve))
}
