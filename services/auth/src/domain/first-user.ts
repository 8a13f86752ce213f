import { randomUUID } from 'node:crypto'
import { isAppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import type { UserStore } from './ports.ts'

interface FirstUser {
  username: string
  email: string
  password: string
}

/** An administrator who is there from the start, so that the first person who signs up is none. */
export async function addFirstUser(
  { username, email, password }: FirstUser,
  {
    userStore,
    passwords,
    clock,
  }: { userStore: UserStore; passwords: Passwords; clock: () => Date },
): Promise<void> {
  if (await userStore.hasUsers()) return
  try {
    await userStore.addUser({
      id: randomUUID(),
      username,
      email,
      isAdmin: true,
      passwordHash: await passwords.hashForAccount(password),
      storageLimit: null,
      shareSizeLimit: null,
      createdAt: clock(),
      requestId: null,
      actor: { id: null, name: null, address: '', userAgent: '' },
      language: null,
    })
  } catch (error) {
    // Another process was faster.
    if (!isAppError(error, 'username_taken') && !isAppError(error, 'email_taken')) throw error
  }
}
