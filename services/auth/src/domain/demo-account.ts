import { randomUUID } from 'node:crypto'
import type { Demo } from '@floe/contracts'
import type { Passwords } from '@floe/secrets'
import type { UserStore } from './ports.ts'

/** The administrator of a demo, so that the first visitor who signs up is none. */
export async function addDemoAccount(
  { username, password }: Demo,
  {
    userStore,
    passwords,
    clock,
  }: { userStore: UserStore; passwords: Passwords; clock: () => Date },
): Promise<void> {
  if (await userStore.hasUsers()) return
  await userStore.addUser({
    id: randomUUID(),
    username,
    email: `${username}@mail.invalid`,
    isAdmin: true,
    passwordHash: await passwords.hashForAccount(password),
    storageLimit: null,
    createdAt: clock(),
    requestId: null,
    actor: { id: null, name: null, address: '', userAgent: '' },
    language: 'en',
  })
}
