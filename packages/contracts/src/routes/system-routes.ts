import { z } from 'zod'
import { defineRoute } from './route.ts'

/** Asked by the gateway of the services it needs, too. */
export const HEALTH_READY_PATH = '/api/health/ready'

export const systemRoutes = {
  health: defineRoute({
    method: 'get',
    path: '/api/health',
    tag: 'System',
    summary: 'Check that the service is up and can reach its database',
    access: 'anyone',
    scope: 'visitor',
    status: 200,
    response: 'text',
  }),
  healthDetails: defineRoute({
    method: 'get',
    path: '/api/health/details',
    tag: 'System',
    summary: 'Get which release runs here, and whether it is up and ready',
    access: 'anyone',
    scope: 'visitor',
    status: 200,
    response: z.object({
      /** `0.24.1+floe.1`: the second release of Floe behind a version ends in `+floe.2`. */
      version: z.string(),
      isUp: z.boolean(),
      isReady: z.boolean(),
    }),
  }),
  healthLive: defineRoute({
    method: 'get',
    path: '/api/health/live',
    tag: 'System',
    summary: 'Check that the process is running',
    access: 'anyone',
    scope: 'visitor',
    status: 200,
    response: 'text',
  }),
  healthReady: defineRoute({
    method: 'get',
    path: HEALTH_READY_PATH,
    tag: 'System',
    summary: 'Check that the process can serve requests; 503 while a dependency is missing',
    access: 'anyone',
    scope: 'visitor',
    status: 200,
    response: 'text',
  }),
}
