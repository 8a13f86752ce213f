import { defineRoute } from './route.ts'

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
}
