import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startFloe } from '@floe/testing'
import type { TestProject } from 'vitest/node'
import { appointAdministrator, restoreDefaults } from './administrator.ts'
import { type ArrangedFloe, startArrangedFloe } from './arranged-floe.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where workers ask for what the files of a run share. */
    sharedFloesUrl: string
    /** Whether tests of many cases try all of them, or one of each kind. */
    isThorough: boolean
  }
}

/** A Floe as a worker gets to know it that did not start it. */
export interface LentFloe extends Omit<ArrangedFloe, 'floe'> {
  floe: Pick<ArrangedFloe['floe'], 'arrangement' | 'url' | 'dataDirectory'>
}

/**
 * Each worker has one Floe for all its files, one file after another, so that what a file sets
 * disturbs none that runs beside it; and there is a data directory for Floes that a file has of its
 * own. Both are made when they are first asked for: a run of one file waits for nothing else.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const storage = project.getProvidedContext().splitStorage
  const floes = new Map<string, Promise<ArrangedFloe>>()
  let template: Promise<string> | undefined
  const getTemplate = () => (template ??= makeTemplate())

  async function lend(worker: string): Promise<LentFloe> {
    const started = floes.get(worker) ?? start()
    floes.set(worker, started)
    const { floe, ...rest } = await started
    await restoreDefaults(floe.url)
    const { arrangement, url, dataDirectory } = floe
    return { floe: { arrangement, url, dataDirectory }, ...rest }
  }

  async function start(): Promise<ArrangedFloe> {
    const started = await startArrangedFloe({
      storage,
      ...(!storage && { template: await getTemplate() }),
    })
    await appointAdministrator(started.floe.url)
    return started
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://lender')
    const made = pathname === '/template' ? getTemplate() : lend(searchParams.get('worker') ?? '')
    made.then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  project.provide('sharedFloesUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  return async () => {
    server.closeAllConnections()
    server.close()
    const started = await Promise.allSettled(floes.values())
    for (const one of started) if (one.status === 'fulfilled') await one.value.floe.stop()
    await template?.then((directory) => rm(directory, { recursive: true, force: true }))
  }
}

/** A data directory whose database is there and has all its tables, and nothing in them. */
async function makeTemplate(): Promise<string> {
  const floe = await startFloe({ arrangement: 'embedded' })
  await floe.shutDown()
  return floe.dataDirectory
}
