import { fitsInBatch } from '@floe/contracts'
import type { TransferOptions } from './transfer.ts'

/** Would this file travel with others? One that was begun by itself goes on so. */
export function travelsInBatch({ entry, url }: Pick<TransferOptions, 'entry' | 'url'>): boolean {
  return url === null && fitsInBatch(entry.sizeBytes)
}

/** As a batch names it. */
export function describeFile({ entry }: Pick<TransferOptions, 'entry'>) {
  return { name: entry.relativePath ?? entry.name, sizeBytes: entry.sizeBytes }
}
