import { cpuSeconds } from './process.ts'

export const MB = 1_000_000
export const MiB = 2 ** 20
export const GiB = 2 ** 30

/** What repeated transfers by one server took. */
export interface TransferLog {
  name: string
  mbPerSecond: number[]
  cpuSecondsPerGiB: number[]
  firstByteMs: number[]
}

export function createTransferLog(name: string): TransferLog {
  return { name, mbPerSecond: [], cpuSecondsPerGiB: [], firstByteMs: [] }
}

/** Runs one transfer and logs its rate and the CPU time of the server's process for it. */
export async function logTransfer(
  log: TransferLog,
  { pid, payloadBytes }: { pid: number; payloadBytes: number },
  move: () => Promise<{ seconds: number; firstByteMs: number }>,
): Promise<void> {
  const before = cpuSeconds(pid)
  const { seconds, firstByteMs } = await move()
  const cpu = cpuSeconds(pid) - before
  log.mbPerSecond.push(payloadBytes / seconds / MB)
  log.cpuSecondsPerGiB.push((cpu / payloadBytes) * GiB)
  log.firstByteMs.push(firstByteMs)
}
