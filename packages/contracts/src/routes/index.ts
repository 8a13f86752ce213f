import { adminRoutes } from './admin-routes.ts'
import { authRoutes } from './auth-routes.ts'
import { configRoutes } from './config-routes.ts'
import { dataRoutes } from './data-routes.ts'
import { deviceCodeRoutes } from './device-code-routes.ts'
import { directUploadRoutes } from './direct-upload-routes.ts'
import { fileRoutes } from './file-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { reverseShareRoutes } from './reverse-share-routes.ts'
import { shareRoutes } from './share-routes.ts'
import { socialRoutes } from './social-routes.ts'
import { systemRoutes } from './system-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { uploadRoutes } from './upload-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

export * from './admin-routes.ts'
export * from './auth-routes.ts'
export * from './config-routes.ts'
export * from './data-routes.ts'
export * from './device-code-routes.ts'
export * from './direct-upload-routes.ts'
export * from './file-routes.ts'
export * from './passkey-routes.ts'
export * from './reverse-share-routes.ts'
export * from './route.ts'
export * from './share-routes.ts'
export * from './social-routes.ts'
export * from './system-routes.ts'
export * from './token-routes.ts'
export * from './upload-routes.ts'
export * from './webhook-routes.ts'

/** Every public call of the product. */
export const routes = {
  ...systemRoutes,
  ...authRoutes,
  ...dataRoutes,
  ...passkeyRoutes,
  ...socialRoutes,
  ...tokenRoutes,
  ...deviceCodeRoutes,
  ...shareRoutes,
  ...reverseShareRoutes,
  ...fileRoutes,
  ...uploadRoutes,
  ...directUploadRoutes,
  ...webhookRoutes,
  ...configRoutes,
  ...adminRoutes,
}
export type RouteName = keyof typeof routes
