import { defineRoute } from './route.ts'

/** Asked by the gateway of the services it needs, too. */
export const HEALTH_READY_PATH = '/api/health/ready'

export const systemRoutes = {
  health: defineRoute({
    method: 'get',
    path: '/api/health',
    tag: 'System',
    summary: 'Is the service up?',
    access: 'anyone',
    status: 200,
    answer: 'text',
  }),
  healthLive: defineRoute({
    method: 'get',
    path: '/api/health/live',
    tag: 'System',
    summary: 'Does the process answer?',
    access: 'anyone',
    status: 200,
    answer: 'text',
  }),
  healthReady: defineRoute({
    method: 'get',
    path: HEALTH_READY_PATH,
    tag: 'System',
    summary: 'Can the process do its work? 503 while something is missing',
    access: 'anyone',
    status: 200,
    answer: 'text',
  }),
}
