import { freemem } from 'node:os'
import { runCommand } from './process.ts'
import { MiB } from './transfers.ts'

/** More than any of the transfers that are measured touches. */
const ENOUGH_BYTES = 3072 * MiB
const PAGE_BYTES = 4096

const touchAll = `
  const held = []
  for (let count = Number(process.argv[1]); count > 0; count--) {
    const block = Buffer.allocUnsafeSlow(${MiB})
    for (let at = 0; at < block.length; at += ${PAGE_BYTES}) block[at] = 1
    held.push(block)
  }`

/**
 * A virtual machine gives free memory back to its host after two seconds, and the next process that
 * takes it waits for the host at every page: MinIO then needs three times as long for a byte.
 * A process that takes memory and ends leaves it at hand, for each contender alike. On other
 * machines it changes nothing.
 */
export async function fetchMemory(): Promise<void> {
  const bytes = Math.min(ENOUGH_BYTES, freemem() / 2)
  await runCommand(process.execPath, ['-e', touchAll, `${Math.floor(bytes / MiB)}`])
}
