import { fitsInBatch } from '@floe/contracts'
import { cargoOf } from './cargo.ts'
import type { TransferOptions } from './transfer.ts'

/** Would this file travel with others? One that was begun by itself goes on so. */
export function travelsInBatch({ entry, url }: Pick<TransferOptions, 'entry' | 'url'>): boolean {
  return url === null && fitsInBatch(cargoOf(entry).sizeBytes)
}

/** As a batch names it. */
export function describeFile({ entry }: Pick<TransferOptions, 'entry'>) {
  const { name, relativePath, sizeBytes } = cargoOf(entry)
  return { name: relativePath ?? name, sizeBytes }
}
