/** Counts the bytes of transfers as they pass, and the transfers while they run. */
export interface TransferMeter {
  transferBegins(direction: 'upload' | 'download'): {
    moved(bytes: number): void
    end(): void
  }
}

export const unmetered: TransferMeter = {
  transferBegins: () => ({ moved: () => undefined, end: () => undefined }),
}
