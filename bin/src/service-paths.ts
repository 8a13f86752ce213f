/** Public paths by owner, for a gateway that does not load the owners. Checked against them by test. */
export const servicePaths = {
  auth: ['/api/auth', '/api/oauth', '/api/users'],
  share: ['/api/shares', '/api/reverseShares'],
  file: [
    '/api/shares/:shareId/files',
    '/api/uploads',
    '/api/users/me/storage',
    '/api/users/storage',
  ],
  admin: ['/api/configs', '/api/admin'],
} as const
