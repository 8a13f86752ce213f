import { z } from 'zod'
import {
  createdReverseShareSchema,
  createReverseShareSchema,
  ownReverseShareSchema,
  reverseSharePasswordSchema,
  reverseShareTokenAvailabilitySchema,
  reverseShareViewSchema,
  updateReverseShareSchema,
} from '../reverse-shares.ts'
import { defineRoute } from './route.ts'

/**
 * One name for both, as an API description cannot have two: owners name a reverse share by its id,
 * senders by its token. Lenient on purpose: what none can have is 404 like an absent one.
 */
const idParams = z.object({ id: z.string().min(1).max(100) })
const tokenParams = z.object({ token: z.string().min(1).max(100) })

export const reverseShareRoutes = {
  createReverseShare: defineRoute({
    method: 'post',
    path: '/api/reverseShares',
    tag: 'Reverse shares',
    summary: 'Create a reverse share: a link that lets others send you files',
    access: 'user',
    body: createReverseShareSchema,
    status: 201,
    response: createdReverseShareSchema,
    errors: [
      'validation_failed',
      'forbidden',
      'email_not_verified',
      'share_expiration_too_long',
      'reverse_share_too_big',
      'reverse_share_token_taken',
      'reverse_shares_disabled',
    ],
  }),
  listOwnReverseShares: defineRoute({
    method: 'get',
    path: '/api/reverseShares',
    tag: 'Reverse shares',
    summary:
      'List your reverse shares that have not expired, with the shares received, latest expiration first',
    access: 'user',
    status: 200,
    response: z.array(ownReverseShareSchema),
    errors: ['forbidden'],
  }),
  isReverseShareTokenAvailable: defineRoute({
    method: 'get',
    path: '/api/reverseShares/isReverseShareTokenAvailable/:token',
    tag: 'Reverse shares',
    summary: 'Check whether a link is available',
    access: 'user',
    params: tokenParams,
    status: 200,
    response: reverseShareTokenAvailabilitySchema,
    errors: ['forbidden', 'too_many_requests'],
  }),
  getReverseShare: defineRoute({
    method: 'get',
    path: '/api/reverseShares/:id',
    tag: 'Reverse shares',
    summary: 'Get what senders need to know, by token; 404 once it has expired or is used up',
    access: 'anyone',
    params: idParams,
    status: 200,
    response: reverseShareViewSchema,
    errors: ['reverse_share_not_found', 'reverse_shares_disabled', 'too_many_requests'],
  }),
  updateReverseShare: defineRoute({
    method: 'patch',
    path: '/api/reverseShares/:id',
    tag: 'Reverse shares',
    summary: 'Change limits, name, password, notifications or visibility, by id',
    access: 'reverse share owner',
    params: idParams,
    body: updateReverseShareSchema,
    status: 200,
    response: ownReverseShareSchema,
    errors: [
      'validation_failed',
      'forbidden',
      'reverse_share_not_found',
      'share_expiration_too_long',
      'reverse_share_too_big',
    ],
  }),
  deleteReverseShare: defineRoute({
    method: 'delete',
    path: '/api/reverseShares/:id',
    tag: 'Reverse shares',
    summary: 'Delete a reverse share and all shares received through it, by id',
    access: 'reverse share owner',
    params: idParams,
    status: 200,
    response: null,
    errors: ['forbidden', 'reverse_share_not_found'],
  }),
  unlockReverseShare: defineRoute({
    method: 'post',
    path: '/api/reverseShares/:token/access',
    tag: 'Reverse shares',
    summary: 'Check the password and set the cookie that lets this browser send files',
    access: 'anyone',
    params: tokenParams,
    body: reverseSharePasswordSchema,
    status: 200,
    response: null,
    errors: [
      'reverse_share_not_found',
      'reverse_shares_disabled',
      'reverse_share_password_required',
      'wrong_password',
      'too_many_requests',
    ],
  }),
}
