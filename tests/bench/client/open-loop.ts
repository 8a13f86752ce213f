/**
 * Sends GET requests at a fixed rate whatever the server does, and measures each from the moment it
 * was due: a server that stalls cannot slow the questions down and so hide the stall.
 * Input (one argument, JSON): port, targets, requestsPerSecond, seconds. Output: one line of JSON.
 */
import { Agent, get } from 'node:http'
import { quantile } from '../harness/statistics.ts'

export interface OpenLoopInput {
  port: number
  targets: { path: string; cookie: string }[]
  requestsPerSecond: number
  seconds: number
}

export interface OpenLoopResult {
  requests: number
  medianMs: number
  p99Ms: number
  worstMs: number
}

const input = JSON.parse(process.argv[2] ?? '{}') as OpenLoopInput
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const total = input.requestsPerSecond * input.seconds
const intervalMs = 1000 / input.requestsPerSecond
const latencies: number[] = []

function request(index: number, dueAt: number): Promise<void> {
  const target = input.targets[index % input.targets.length]
  if (!target) throw new Error('no targets')
  const { path, cookie } = target
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: input.port, path, agent, headers: { cookie } }, (response) => {
      response.resume()
      response.on('end', () => {
        latencies.push(performance.now() - dueAt)
        if (response.statusCode === 200) resolve()
        else reject(new Error(`GET ${path} returned ${response.statusCode}`))
      })
    }).on('error', reject)
  })
}

async function run(): Promise<OpenLoopResult> {
  const startedAt = performance.now()
  const pending: Promise<void>[] = []
  while (pending.length < total) {
    const due = Math.min(total, Math.floor((performance.now() - startedAt) / intervalMs) + 1)
    while (pending.length < due) {
      pending.push(request(pending.length, startedAt + pending.length * intervalMs))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(pending)
  agent.destroy()
  return {
    requests: total,
    medianMs: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    worstMs: quantile(latencies, 1),
  }
}

console.log(JSON.stringify(await run()))
