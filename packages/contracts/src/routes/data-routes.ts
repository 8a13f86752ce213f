import { defineRoute } from './route.ts'

/** What is stored of people. */
export const dataRoutes = {
  exportOwnData: defineRoute({
    method: 'get',
    path: '/api/users/me/data',
    tag: 'Users',
    summary:
      'Download what is stored of your account as JSON: `data` has the rows of each table, without hashes, keys and secrets. Files are not in it',
    access: 'user',
    scope: 'session',
    status: 200,
    response: 'bytes',
    mediaType: 'application/json',
    errors: ['forbidden'],
  }),
}
