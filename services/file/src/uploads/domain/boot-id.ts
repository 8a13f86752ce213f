import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/**
 * Names this run of the machine. Bytes written but not synced survive the death of a process, not
 * of the machine, so they are trusted only while the name stays the same. Where the system offers
 * no such name, each process start counts as a new run, which is merely cautious.
 */
export async function readBootId(): Promise<string> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  } catch {
    return randomUUID()
  }
}
