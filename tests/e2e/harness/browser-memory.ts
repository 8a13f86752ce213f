import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'

export interface BrowserUse {
  /** Resident memory of the processes that run pages. */
  rendererBytes: number
  /** Resident memory of all its processes. */
  residentBytes: number
  /** What all its processes have read so far, from files and sockets. */
  readBytes: number
}

/** What the processes of a browser hold and have read. */
export async function browserUse(browser: Browser): Promise<BrowserUse> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  const use = { rendererBytes: 0, residentBytes: 0, readBytes: 0 }
  for (const { id, type } of processInfo) {
    const resident = (await readField(id, 'status', 'VmRSS')) * 1024
    use.residentBytes += resident
    if (type === 'renderer') use.rendererBytes += resident
    use.readBytes += await readField(id, 'io', 'rchar')
  }
  return use
}

async function readField(pid: number, file: string, name: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/${file}`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1])
}

export interface PageUse {
  /** Of scripts, garbage not counted. */
  heapBytes: number
  /** Elements, texts and the like. */
  nodes: number
}

/** What a page holds. */
export async function pageUse(page: Page): Promise<PageUse> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  await devtools.detach()
  const values = new Map(metrics.map(({ name, value }) => [name, value]))
  return { heapBytes: values.get('JSHeapUsedSize') ?? NaN, nodes: values.get('Nodes') ?? NaN }
}
