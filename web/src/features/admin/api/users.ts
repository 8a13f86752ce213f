import {
  type CreateUserInput,
  type StorageUse,
  storageUseSchema,
  type UpdateUserInput,
  type UserListQuery,
  type UserView,
  userSchema,
} from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient, ListPage } from '../../../shared/api/http-client.ts'
import { toSearch } from '../../../shared/list/list-query.ts'

const userPath = (id: string) => `/api/users/${encodeURIComponent(id)}`

export function fetchUsers(http: HttpClient, query: UserListQuery): Promise<ListPage<UserView>> {
  return http.requestPage({
    method: 'GET',
    path: `/api/users?${toSearch(query)}`,
    response: z.array(userSchema),
  })
}

/** What each of these users stores; those who never stored anything are left out. */
export function fetchStorageUse(http: HttpClient, ids: readonly string[]): Promise<StorageUse[]> {
  return http.request({
    method: 'GET',
    path: `/api/users/storage?ids=${ids.join(',')}`,
    response: z.array(storageUseSchema),
  })
}

/** Throws `username_taken`, `email_taken`, `smtp_disabled`. */
export function createUser(http: HttpClient, user: CreateUserInput): Promise<void> {
  return http.request({ method: 'POST', path: '/api/users', body: user })
}

export type UserChanges = UpdateUserInput

/** Throws `username_taken`, `email_taken`, `last_admin`, `user_not_found`. */
export function updateUser(http: HttpClient, id: string, changes: UserChanges): Promise<void> {
  return http.request({ method: 'PATCH', path: userPath(id), body: changes })
}

/** With everything they shared. Throws `last_admin`, `user_not_found`. */
export function deleteUser(http: HttpClient, id: string): Promise<void> {
  return http.request({ method: 'DELETE', path: userPath(id) })
}
