import { z } from 'zod'
import { redirectPathSchema, socialLinkSchema, socialProviders } from '../identity.ts'
import { defineRoute, sessionErrors } from './route.ts'

// The response for an unknown provider is that for a disabled one: neither is available.
const providerParams = z.object({ provider: z.string().min(1).max(50) })

/** What a provider sends back; `error` and `code` exclude each other. */
export const socialCallbackQuerySchema = z.object({
  code: z.string().max(10_000).optional(),
  state: z.string().max(1_000).optional(),
  error: z.string().max(1_000).optional(),
})

export const socialRoutes = {
  listSocialProviders: defineRoute({
    method: 'get',
    path: '/api/oauth/available',
    tag: 'Social login',
    summary: 'List the enabled providers',
    access: 'anyone',
    scope: 'visitor',
    status: 200,
    response: z.array(z.enum(socialProviders)),
  }),
  listSocialLinks: defineRoute({
    method: 'get',
    path: '/api/oauth/status',
    tag: 'Social login',
    summary: 'List your linked accounts by provider; providers without one are omitted',
    access: 'user',
    scope: 'session',
    status: 200,
    response: z.partialRecord(z.enum(socialProviders), socialLinkSchema),
    errors: [...sessionErrors],
  }),
  beginSocialSignIn: defineRoute({
    method: 'get',
    path: '/api/oauth/auth/:provider',
    tag: 'Social login',
    summary: 'Redirect to the provider to sign in, or to link an account while signed in',
    access: 'anyone',
    scope: 'session',
    params: providerParams,
    query: z.object({ redirect: redirectPathSchema.optional() }),
    status: 302,
    response: null,
    errors: [
      'validation_failed',
      'social_provider_disabled',
      'cross_site_request',
      'directory_account',
    ],
  }),
  finishSocialSignIn: defineRoute({
    method: 'get',
    path: '/api/oauth/callback/:provider',
    tag: 'Social login',
    summary: 'Handle the redirect from the provider; failures redirect to the error page',
    access: 'anyone',
    scope: 'session',
    params: providerParams,
    query: socialCallbackQuerySchema,
    status: 302,
    response: null,
    errors: ['validation_failed', 'social_provider_disabled'],
  }),
  receiveLogoutToken: defineRoute({
    method: 'post',
    path: '/api/oauth/logout/oidc',
    tag: 'Social login',
    summary: 'For the OpenID provider: end the sessions that it names (Back-Channel Logout 1.0)',
    access: 'anyone',
    scope: 'visitor',
    form: 'or JSON',
    body: z.object({ logout_token: z.string().min(1).max(20_000) }),
    status: 200,
    response: null,
    errors: ['validation_failed', 'invalid_logout_token'],
  }),
  trySocialProvider: defineRoute({
    method: 'post',
    path: '/api/oauth/check/:provider',
    tag: 'Social login',
    summary: 'Test whether a provider accepts the saved client, even if it is disabled',
    access: 'admin',
    scope: 'admin:settings',
    params: z.object({ provider: z.enum(socialProviders) }),
    status: 200,
    response: z.object({ issuer: z.string(), signInPage: z.string() }),
    errors: [
      'validation_failed',
      ...sessionErrors,
      'social_check_incomplete',
      'social_check_failed',
      'social_client_rejected',
    ],
  }),
  unlinkSocialAccount: defineRoute({
    method: 'post',
    path: '/api/oauth/unlink/:provider',
    tag: 'Social login',
    summary:
      'Unlink an account; the last sign-in method must be confirmed. Redirects (302) to the error page if none is linked',
    access: 'user',
    scope: 'session',
    params: providerParams,
    body: z.object({ confirm: z.boolean().optional() }),
    status: 201,
    response: null,
    errors: [
      'validation_failed',
      ...sessionErrors,
      'social_provider_disabled',
      'last_sign_in_method',
    ],
  }),
}
