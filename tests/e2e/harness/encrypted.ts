import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { signUp } from '../../acceptance/world/accounts.ts'
import { makeToken } from '../../acceptance/world/api-tokens.ts'
import { type CommandLine, installCommandLine } from '../../acceptance/world/cli.ts'
import type { Client } from '../../acceptance/world/http-client.ts'

/** The command line of somebody new. */
export interface Sender {
  cli: CommandLine
  owner: Client
  /**
   * Sends a file or a folder of the command line's, with these options; where the page of the share
   * is, with its key.
   */
  send(name: string, ...options: string[]): Promise<string>
}

export async function installSender(floe: { url: string }): Promise<Sender> {
  const cli = await installCommandLine()
  const owner = await signUp(floe)
  const { token } = await makeToken(owner)
  const login = await cli.run(['login', floe.url, '--token-stdin'], { input: token })
  expect(login.code, login.stderr).toBe(0)
  return {
    cli,
    owner,
    async send(name, ...options) {
      const { code, stdout, stderr } = await cli.run(['send', '--encrypt', ...options, name])
      expect(code, stderr).toBe(0)
      return pathOf(stdout.trim())
    },
  }
}

/** The site calls itself by another name of this machine than the browser visits it by. */
export function pathOf(link: string): string {
  const { pathname, hash } = new URL(link)
  return pathname + hash
}

/** On the page of a share. */
export async function enterPassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Password required' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Open share' }).click()
}

/** The upload page, where what is chosen is encrypted. */
export async function openEncrypting(page: Page): Promise<void> {
  await page.goto('/upload')
  await page.getByRole('switch', { name: 'End-to-end encryption' }).check()
}
