import { type AuthPort, configRoutes } from '@floe/contracts'
import { isAppError } from '@floe/errors'
import {
  type FormFile,
  implement,
  type ImplementedRoute,
  implementPublic,
  requestLanguage,
  toAppError,
} from '@floe/http'
import { mailLanguage } from '@floe/mail'
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
  const admin = requireAdmin(auth)
  return [
    implementPublic(configRoutes.listConfig, () => configuration.listPublic()),

    implement(configRoutes.listAdminConfig, admin, async ({ params }) => {
      return (await configuration.listCategory(params.category)).map(presentVariable)
    }),

    implement(configRoutes.updateConfig, admin, async ({ body }, actor) => {
      return (await configuration.change(body, actor)).map(presentVariable)
    }),

    implement(configRoutes.sendTestEmail, admin, async ({ req, body }, actor) => {
      return sendTestMail(body.email, { actor, language: requestLanguage(req) })
    }),

    implement(configRoutes.previewEmail, admin, async ({ body, req }) => {
      const settings = await configuration.settings()
      const language = mailLanguage(settings, requestLanguage(req))
      const { subject, html } = previewMail(body, { settings, language })
      return { subject, html }
    }),

    implement(configRoutes.setLogo, admin, async ({ readFile }, actor) => {
      return { version: await logo.replace('light', await readLogo(readFile), actor) }
    }),

    implement(configRoutes.finishSetup, admin, async ({ body }, actor) => {
      await setup.finish(body.changes, actor)
    }),

    implement(configRoutes.removeLogo, admin, async (_call, actor) => {
      await logo.remove('light', actor)
    }),

    implement(configRoutes.setDarkLogo, admin, async ({ readFile }, actor) => {
      return { version: await logo.replace('dark', await readLogo(readFile), actor) }
    }),

    implement(configRoutes.removeDarkLogo, admin, async (_call, actor) => {
      await logo.remove('dark', actor)
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
