import { type Browser, chromium } from 'playwright-core'

const flags = [
  // A container's root has no user namespace to build the sandbox from.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The system's Chromium. With `networkLog` it writes what its sockets did, complete once closed. */
export function launchBrowser({ networkLog }: { networkLog?: string } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: networkLog === undefined ? flags : [...flags, `--log-net-log=${networkLog}`],
  })
}
