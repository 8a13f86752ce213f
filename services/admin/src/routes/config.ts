import { type AuthPort, configRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import type { AdminVariable, Configuration } from '../domain/configuration.ts'
import type { SendTestMail } from '../domain/test-mail.ts'
import { requireAdmin } from './request.ts'

export function createConfigRoutes({
  configuration,
  sendTestMail,
  auth,
}: {
  configuration: Configuration
  sendTestMail: SendTestMail
  auth: AuthPort
}): ImplementedRoute[] {
  return [
    implement(configRoutes.listConfig, () => configuration.listPublic()),

    implement(configRoutes.listAdminConfig, async ({ req, params }) => {
      await requireAdmin(auth, req)
      return (await configuration.listCategory(params.category)).map(presentVariable)
    }),

    implement(configRoutes.updateConfig, async ({ req, body }) => {
      const actor = await requireAdmin(auth, req)
      return (await configuration.change(body, actor)).map(presentVariable)
    }),

    implement(configRoutes.sendTestEmail, async ({ req, body }) => {
      const actor = await requireAdmin(auth, req)
      return sendTestMail(body.email, actor)
    }),
  ]
}

function presentVariable({ isSecret, updatedAt, ...variable }: AdminVariable) {
  return {
    ...variable,
    secret: isSecret,
    obscured: isSecret,
    updatedAt: updatedAt?.toISOString() ?? null,
    allowEdit: true,
  }
}
