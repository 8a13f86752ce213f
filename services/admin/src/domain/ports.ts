import type { ConfigChange, StoredValue } from './config-values.ts'

export interface ConfigStore {
  list(): Promise<StoredValue[]>
  /** Applies all changes together or none. */
  apply(changes: readonly ConfigChange[], now: Date): Promise<void>
}
