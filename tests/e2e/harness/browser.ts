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

/**
 * The system's Chromium. With `networkLog` it writes what its sockets did, complete once closed; on
 * `devtoolsPort` others may drive it too.
 */
export function launchBrowser({
  networkLog,
  devtoolsPort,
}: { networkLog?: string; devtoolsPort?: number } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      ...flags,
      ...(networkLog === undefined ? [] : [`--log-net-log=${networkLog}`]),
      ...(devtoolsPort === undefined ? [] : [`--remote-debugging-port=${devtoolsPort}`]),
    ],
  })
}
