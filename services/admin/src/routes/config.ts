import { type AuthPort, configRoutes } from '@floe/contracts'
import { isAppError } from '@floe/errors'
import {
  type FormFile,
  implement,
  type ImplementedRoute,
  requestLanguage,
  toAppError,
} from '@floe/http'
import type { AdminVariable, Configuration } from '../domain/configuration.ts'
import { type Logo, logoTooBig } from '../domain/logo.ts'
import { previewMail } from '../domain/preview-mail.ts'
import type { Setup } from '../domain/setup.ts'
import type { SendTestMail } from '../domain/test-mail.ts'
import { requireAdmin } from './request.ts'

export function createConfigRoutes({
  configuration,
  sendTestMail,
  logo,
  setup,
  auth,
}: {
  configuration: Configuration
  logo: Logo
  setup: Setup
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
      return sendTestMail(body.email, { actor, language: requestLanguage(req) })
    }),

    implement(configRoutes.previewEmail, async ({ req, body }) => {
      await requireAdmin(auth, req)
      const { subject, html } = previewMail(body, await configuration.settings())
      return { subject, html }
    }),

    implement(configRoutes.setLogo, async ({ req, readFile }) => {
      const actor = await requireAdmin(auth, req)
      return { version: await logo.replace(await readLogo(readFile), actor) }
    }),

    implement(configRoutes.finishSetup, async ({ req, body }) => {
      const actor = await requireAdmin(auth, req)
      await setup.finish(body.changes, actor)
    }),

    implement(configRoutes.removeLogo, async ({ req }) => {
      const actor = await requireAdmin(auth, req)
      await logo.remove(actor)
    }),
  ]
}

async function readLogo(readFile: () => Promise<FormFile>): Promise<FormFile> {
  try {
    return await readFile()
  } catch (error) {
    throw isAppError(toAppError(error), 'payload_too_large') ? logoTooBig(error) : error
  }
}

function presentVariable({ isSecret, isFixed, updatedAt, ...variable }: AdminVariable) {
  return {
    ...variable,
    secret: isSecret,
    obscured: isSecret,
    updatedAt: updatedAt?.toISOString() ?? null,
    allowEdit: !isFixed,
  }
}
