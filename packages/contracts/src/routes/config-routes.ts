import { z } from 'zod'
import { logoVersionSchema, MOST_LOGO_BYTES } from '../logo.ts'
import { mailTemplateNames } from '../mail-templates.ts'
import { emailSchema } from '../names.ts'
import { defineRoute } from './route.ts'

const variableType = z.enum(['string', 'text', 'number', 'boolean'])

export const publicVariableSchema = z
  .object({ key: z.string(), value: z.string(), type: variableType, defaultValue: z.string() })
  .meta({ id: 'ConfigVariable' })

export const adminVariableSchema = z
  .object({
    key: z.string(),
    name: z.string(),
    value: z.string().nullable(),
    defaultValue: z.string(),
    type: variableType,
    secret: z.boolean(),
    obscured: z.boolean(),
    updatedAt: z.string().nullable(),
    allowEdit: z.boolean(),
  })
  .meta({ id: 'AdminConfigVariable' })

export const configChangesSchema = z
  .array(
    z.object({
      key: z.string().min(1).max(100),
      value: z.union([z.string().max(20_000), z.number(), z.boolean()]),
    }),
  )
  .max(200)

const logoErrors = [
  'forbidden',
  'validation_failed',
  'unsupported_media_type',
  'logo_too_big',
  'logo_not_png',
  'logo_too_many_pixels',
  'logo_not_square',
  'logo_animated',
  'logo_damaged',
  'pictures_unavailable',
] as const

export const configRoutes = {
  listConfig: defineRoute({
    method: 'get',
    path: '/api/configs',
    tag: 'Configuration',
    summary:
      'List the public settings with their effective values as text; a `share.maxSize` of 9007199254740991 means no limit',
    access: 'anyone',
    scope: 'visitor',
    status: 200,
    response: z.array(publicVariableSchema),
  }),
  listAdminConfig: defineRoute({
    method: 'get',
    path: '/api/configs/admin/:category',
    tag: 'Configuration',
    summary: 'List the settings of one category; secrets are never returned',
    access: 'admin',
    scope: 'admin:read',
    params: z.object({ category: z.string().min(1).max(50) }),
    status: 200,
    response: z.array(adminVariableSchema),
    errors: ['forbidden'],
  }),
  updateConfig: defineRoute({
    method: 'patch',
    path: '/api/configs/admin',
    tag: 'Configuration',
    summary: 'Change settings, all or none; an empty string restores the default',
    access: 'admin',
    scope: 'admin:settings',
    body: configChangesSchema,
    status: 200,
    response: z.array(adminVariableSchema),
    errors: [
      'forbidden',
      'validation_failed',
      'config_variable_not_found',
      'config_wrong_type',
      'config_out_of_range',
      'config_fixed',
      'config_needs_smtp',
      'config_needs_provider',
    ],
  }),
  sendTestEmail: defineRoute({
    method: 'post',
    path: '/api/configs/admin/testEmail',
    tag: 'Configuration',
    summary: 'Send a test email with the saved settings and return the response of the mail server',
    access: 'admin',
    scope: 'admin:settings',
    body: z.object({ email: emailSchema }),
    status: 201,
    response: z.object({ reply: z.string() }),
    errors: ['forbidden', 'validation_failed', 'smtp_disabled', 'mail_test_failed'],
  }),
  previewEmail: defineRoute({
    method: 'post',
    path: '/api/configs/admin/previewEmail',
    tag: 'Configuration',
    summary: 'Preview an email with sample values; an empty text means the default',
    access: 'admin',
    scope: 'admin:settings',
    body: z.object({
      template: z.enum(mailTemplateNames),
      subject: z.string().max(200),
      message: z.string().max(10_000),
    }),
    status: 200,
    response: z.object({ subject: z.string(), html: z.string() }),
    errors: ['forbidden', 'validation_failed'],
  }),
  setLogo: defineRoute({
    method: 'post',
    path: '/api/configs/admin/logo',
    tag: 'Configuration',
    summary: 'Set a square PNG as the logo and the icons of the site',
    access: 'admin',
    scope: 'admin:settings',
    file: { field: 'file', mostBytes: MOST_LOGO_BYTES },
    status: 201,
    response: z.object({ version: logoVersionSchema }),
    errors: logoErrors,
  }),
  finishSetup: defineRoute({
    method: 'post',
    path: '/api/configs/admin/finishSetup',
    tag: 'Configuration',
    summary: 'Finish the setup after the first start, with changes in the format of updateConfig',
    access: 'admin',
    scope: 'session',
    body: z.object({ changes: configChangesSchema.default([]) }),
    status: 204,
    response: null,
    errors: [
      'forbidden',
      'validation_failed',
      'config_variable_not_found',
      'config_wrong_type',
      'config_out_of_range',
      'config_fixed',
      'config_needs_smtp',
      'config_needs_provider',
    ],
  }),
  removeLogo: defineRoute({
    method: 'delete',
    path: '/api/configs/admin/logo',
    tag: 'Configuration',
    summary: 'Restore the default logo',
    access: 'admin',
    scope: 'admin:settings',
    status: 204,
    response: null,
    errors: ['forbidden'],
  }),
  setDarkLogo: defineRoute({
    method: 'post',
    path: '/api/configs/admin/logoDark',
    tag: 'Configuration',
    summary: 'Set a square PNG as the logo where the page is dark',
    access: 'admin',
    scope: 'admin:settings',
    file: { field: 'file', mostBytes: MOST_LOGO_BYTES },
    status: 201,
    response: z.object({ version: logoVersionSchema }),
    errors: logoErrors,
  }),
  removeDarkLogo: defineRoute({
    method: 'delete',
    path: '/api/configs/admin/logoDark',
    tag: 'Configuration',
    summary: 'Show the usual logo where the page is dark, too',
    access: 'admin',
    scope: 'admin:settings',
    status: 204,
    response: null,
    errors: ['forbidden'],
  }),
}
