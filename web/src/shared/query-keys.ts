/** Names of what the queries hold; features refresh each other's data through them. */
export const queryKeys = {
  ownShares: ['shares', 'own'],
  ownReverseShares: ['reverse-shares', 'own'],
  reverseShare: (token: string) => ['reverse-shares', 'view', token],
  unfinishedUploads: ['uploads', 'unfinished'],
  abandonedUploads: ['abandoned-uploads'],
  share: (id: string) => ['shares', 'view', id],
  isSharePrivate: (id: string) => ['shares', 'is-private', id],
  shareFromOwner: (id: string) => ['shares', 'from-owner', id],
  shareActivity: (id: string, file: string | null) => ['shares', 'activity', id, file],
  shareMetaData: (id: string) => ['shares', 'metaData', id],
  socialProviders: ['oauth', 'available'],
  socialLinks: ['oauth', 'status'],
  sessions: ['auth', 'sessions'],
  adminUsers: (query: object) => ['users', 'admin', query],
  adminShares: (query: object) => ['shares', 'admin', query],
  adminConfig: (category: string) => ['configs', 'admin', category],
} as const
