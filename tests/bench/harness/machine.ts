import { availableParallelism, cpus, release, totalmem, type } from 'node:os'

/** What a reader needs to judge the figures; nothing that names the machine. */
export function describeMachine(): string[] {
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  return [
    `Processor: ${model}, ${availableParallelism()} cores`,
    `Memory: ${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    `System: ${type()} ${release().split('-')[0]}, Node ${process.versions.node}`,
  ]
}
