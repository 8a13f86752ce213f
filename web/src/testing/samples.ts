import type {
  ApiToken,
  AuditEntry,
  OwnReverseShare,
  OwnShare,
  ReceivedShare,
  ReverseShareView,
  SharedFile,
  ShareView,
  UserView,
  Webhook,
  WebhookDelivery,
} from '@floe/contracts'

const inAMonth = () => new Date(Date.now() + 30 * 24 * 3_600_000).toISOString()

export function sampleUser(changes: Partial<UserView> = {}): UserView {
  return {
    id: '0b9d7c55-6a3a-4f0e-9a39-0f4a1c1d2e3f',
    username: 'mona',
    email: 'mona@floe.example',
    isAdmin: false,
    totpVerified: false,
    hasPassword: true,
    ...changes,
  }
}

export function sampleFile(name = 'fjord.txt', bytes = 1_000): SharedFile {
  return { id: `id-${name}`, name, size: String(bytes) }
}

export function sampleShare(changes: Partial<ShareView> = {}): ShareView {
  return {
    id: 'holiday',
    name: 'Holiday',
    description: null,
    expiration: inAMonth(),
    files: [sampleFile()],
    hasPassword: false,
    size: 1_000,
    ...changes,
  }
}

export function sampleOwnShare(changes: Partial<OwnShare> = {}): OwnShare {
  return {
    ...sampleShare(),
    views: 3,
    createdAt: '2026-01-02T03:04:05.000Z',
    recipients: [],
    security: { passwordProtected: false, maxViews: null },
    notifyOnDownload: false,
    state: 'completed',
    ...changes,
  }
}

export function sampleReceivedShare(changes: Partial<ReceivedShare> = {}): ReceivedShare {
  return {
    id: 'received',
    name: 'From Nils',
    description: null,
    expiration: inAMonth(),
    views: 0,
    createdAt: '2026-01-02T03:04:05.000Z',
    size: 2_000,
    fileCount: 2,
    hasPassword: false,
    ...changes,
  }
}

export function sampleReverseShare(changes: Partial<OwnReverseShare> = {}): OwnReverseShare {
  return {
    id: 'reverse',
    token: 'send-here',
    name: 'Contracts',
    maxShareSize: '50000000',
    shareExpiration: inAMonth(),
    remainingUses: 2,
    simplified: false,
    hasPassword: false,
    askSenderName: false,
    createdAt: '2026-01-02T03:04:05.000Z',
    sendEmailNotification: false,
    publicAccess: true,
    shares: [],
    ...changes,
  }
}

export function sampleReverseShareView(changes: Partial<ReverseShareView> = {}): ReverseShareView {
  return {
    id: 'reverse',
    token: 'send-here',
    name: 'Contracts',
    maxShareSize: '50000000',
    shareExpiration: inAMonth(),
    remainingUses: 2,
    simplified: false,
    hasPassword: false,
    askSenderName: false,
    isUnlocked: true,
    ...changes,
  }
}

export function sampleAuditEntry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: crypto.randomUUID(),
    at: '2026-05-01T10:00:00.000Z',
    action: 'share.deleted',
    actor: {
      id: '0b9d7c55-6a3a-4f0e-9a39-0f4a1c1d2e3f',
      name: 'admin',
      address: '127.0.0.1',
      userAgent: 'Firefox',
    },
    target: { type: 'share', id: 'fjord', name: '=1+1' },
    details: {},
    ...changes,
  }
}

export function sampleToken(changes: Partial<ApiToken> = {}): ApiToken {
  return {
    id: '5a1e9a52-3d0e-4c64-8a43-1f7a7a0d9b10',
    name: 'Backup',
    prefix: 'floe_abcde',
    scopes: ['shares:read', 'shares:write'],
    networks: [],
    maxShareSize: null,
    maxExpiration: null,
    createdAt: '2026-01-02T03:04:05.000Z',
    expiresAt: inAMonth(),
    lastUse: null,
    ...changes,
  }
}

export function sampleWebhook(changes: Partial<Webhook> = {}): Webhook {
  return {
    id: '7c0f6f0e-3d0e-4c64-8a43-1f7a7a0d9b10',
    url: 'https://hooks.example/floe',
    events: ['share.completed', 'request.received'],
    scope: 'own',
    format: 'standard',
    createdAt: '2026-01-02T03:04:05.000Z',
    disabledAt: null,
    disabledReason: null,
    ...changes,
  }
}

export function sampleDelivery(changes: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    id: '1d0f6f0e-3d0e-4c64-8a43-1f7a7a0d9b10',
    eventId: '2e0f6f0e-3d0e-4c64-8a43-1f7a7a0d9b10',
    event: 'share.completed',
    createdAt: '2026-05-01T10:00:00.000Z',
    state: 'delivered',
    attempts: 1,
    nextAttemptAt: null,
    lastAttempt: {
      at: '2026-05-01T10:00:01.000Z',
      milliseconds: 42,
      status: 204,
      error: null,
      response: '',
    },
    request: '{"type":"share.completed"}',
    ...changes,
  }
}
