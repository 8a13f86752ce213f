import type { Actor } from '@floe/contracts'
import type { RequestedChange } from './config-values.ts'
import type { Configuration } from './configuration.ts'
import type { SetupStore } from './ports.ts'

/** The welcome of the first run, which is shown to the first administrator until it is finished. */
export interface Setup {
  isFinished(): Promise<boolean>
  /** Fails as a change of the configuration does, and is then not finished. */
  finish(changes: readonly RequestedChange[], actor: Actor): Promise<void>
}

export function createSetup({
  store,
  configuration,
  clock,
}: {
  store: SetupStore
  configuration: Configuration
  clock: () => Date
}): Setup {
  return {
    isFinished: () => store.isFinished(),
    async finish(changes, actor) {
      await configuration.change(changes, actor)
      await store.finish(clock())
    },
  }
}
