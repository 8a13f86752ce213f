import { type AuthPort, configRoutes } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { accessToken, implement, type ImplementedRoute } from '@floe/http'
import type { Request } from 'express'
import type { AdminVariable, Configuration } from '../domain/configuration.ts'
import type { SendTestMail } from '../domain/test-mail.ts'

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
      await requireAdmin(auth, req)
      return (await configuration.change(body)).map(presentVariable)
    }),

    implement(configRoutes.sendTestEmail, async ({ req, body }) => {
      await requireAdmin(auth, req)
      return sendTestMail(body.email)
    }),
  ]
}

async function requireAdmin(auth: AuthPort, req: Request): Promise<void> {
  const identity = await auth.identify({ accessToken: accessToken(req) })
  if (!identity?.isAdmin) throw new AppError('forbidden')
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
