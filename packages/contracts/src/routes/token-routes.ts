import { z } from 'zod'
import { apiTokenSchema, createdTokenSchema, createTokenSchema } from '../api-tokens.ts'
import { uuidSchema } from '../names.ts'
import { defineRoute, sessionErrors } from './route.ts'

/** Tokens for scripts. None of them makes, lists or ends another one. */
export const tokenRoutes = {
  createToken: defineRoute({
    method: 'post',
    path: '/api/tokens',
    tag: 'Tokens',
    summary: 'Create an access token for scripts; its text is in this response alone',
    access: 'user',
    scope: 'session',
    body: createTokenSchema,
    status: 201,
    response: createdTokenSchema,
    errors: ['validation_failed', ...sessionErrors, 'too_many_tokens'],
  }),
  listTokens: defineRoute({
    method: 'get',
    path: '/api/tokens',
    tag: 'Tokens',
    summary: 'List the tokens of the signed-in user; administrators may list those of another',
    access: 'user',
    scope: 'session',
    query: z.object({ userId: uuidSchema.optional() }),
    status: 200,
    response: z.array(apiTokenSchema),
    errors: ['validation_failed', ...sessionErrors],
  }),
  revokeToken: defineRoute({
    method: 'delete',
    path: '/api/tokens/:id',
    tag: 'Tokens',
    summary: 'Revoke a token of the signed-in user; administrators may revoke those of others',
    access: 'user',
    scope: 'session',
    params: z.object({ id: uuidSchema }),
    status: 204,
    response: null,
    errors: ['validation_failed', ...sessionErrors, 'token_not_found'],
  }),
}
