import type { Settings } from '@floe/contracts'
import { type LdapServer, startLdapServer } from '@floe/testing'
import { type AuthServer, startAuthServer } from './auth-server.ts'
import { type Browser, type HttpResponse, openBrowser } from './browser.ts'

export interface DirectoryWorld {
  server: AuthServer
  ldap: LdapServer
  /** The settings again as they were at first. */
  reset(): void
  close(): Promise<void>
}

/** The service with a directory that nobody is in yet. */
export async function startDirectoryWorld(): Promise<DirectoryWorld> {
  const [server, ldap] = await Promise.all([startAuthServer(), startLdapServer()])
  Object.assign(server.settings, settingsOf(ldap))
  const saved = { ...server.settings }
  return {
    server,
    ldap,
    reset: () => Object.assign(server.settings, saved),
    close: async () => {
      await Promise.all([server.close(), ldap.close()])
    },
  }
}

export function settingsOf({ url, base, bindDn, bindPassword, authority }: LdapServer) {
  return {
    'ldap.enabled': true,
    'ldap.url': url,
    'ldap.startTls': true,
    'ldap.certificate': authority,
    'ldap.bindDn': bindDn,
    'ldap.bindPassword': bindPassword,
    'ldap.searchBase': base,
    'ldap.fieldNameEmail': 'mail',
  } satisfies Partial<Settings>
}

/** A person of a name that nobody had before, with a password and an address. */
export function newPerson(uid: string) {
  return { uid, password: `password of ${uid}`, mail: `${uid}@example.org` }
}

export async function trySignIn(
  server: { url: string },
  username: string,
  password: string,
): Promise<HttpResponse & { browser: Browser }> {
  const browser = openBrowser(server)
  const response = await browser.send('POST', '/api/auth/signIn', { username, password })
  return { ...response, browser }
}

/** The browser of somebody who signed in with what the directory knows. */
export async function enterBy(
  server: { url: string },
  { uid, password }: { uid: string; password: string },
): Promise<Browser> {
  const { status, text, browser } = await trySignIn(server, uid, password)
  if (status !== 200) throw new Error(`sign-in failed: ${text}`)
  return browser
}
