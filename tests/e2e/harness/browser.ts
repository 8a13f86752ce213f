import { fileURLToPath } from 'node:url'
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

/** Which fonts a browser knows, by the configuration of fontconfig that is called so. */
export type Fonts = 'usual' | 'garuda'

/**
 * The system's Chromium, with fonts that are named here instead of those a machine has. With
 * `networkLog` it writes what its sockets did, complete once closed; on `devtoolsPort` others may
 * drive it too.
 */
export function launchBrowser({
  networkLog,
  devtoolsPort,
  fonts = 'usual',
}: { networkLog?: string; devtoolsPort?: number; fonts?: Fonts } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    env: {
      ...process.env,
      FONTCONFIG_PATH: fileURLToPath(new URL('fonts', import.meta.url)),
      FONTCONFIG_FILE: `${fonts}.conf`,
    },
    args: [
      ...flags,
      ...(networkLog === undefined ? [] : [`--log-net-log=${networkLog}`]),
      ...(devtoolsPort === undefined ? [] : [`--remote-debugging-port=${devtoolsPort}`]),
    ],
  })
}

let borrowed: Promise<Browser> | undefined

/** The browser of this worker, for all its files; it ends with the worker. */
export async function borrowBrowser(): Promise<Browser> {
  borrowed ??= launchBrowser()
  const browser = await borrowed
  if (browser.isConnected()) return browser
  borrowed = launchBrowser()
  return borrowed
}
