import type { TokenScope } from '@floe/contracts'

/** What each scope is for. */
export const scopeTexts = {
  'shares:read': 'account.tokens.scope.sharesRead',
  'shares:write': 'account.tokens.scope.sharesWrite',
  'files:read': 'account.tokens.scope.filesRead',
  'requests:read': 'account.tokens.scope.requestsRead',
  'requests:write': 'account.tokens.scope.requestsWrite',
  'webhooks:write': 'account.tokens.scope.webhooksWrite',
  'account:read': 'account.tokens.scope.accountRead',
  'admin:read': 'account.tokens.scope.adminRead',
  'admin:users': 'account.tokens.scope.adminUsers',
  'admin:settings': 'account.tokens.scope.adminSettings',
} as const satisfies Record<TokenScope, string>
