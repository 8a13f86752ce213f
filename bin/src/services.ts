import type { ServiceTable } from '@floe/runtime/host'

/** Every service of Floe and the public paths it owns; a test compares them with the definitions. */
export const services: ServiceTable = {
  owners: {
    admin: {
      paths: ['/api/configs', '/api/admin', '/api/webhooks', '/api/users/me/data'],
      load: async () => {
        const { adminService, findSettingProblems, migrations, republishAdminEvents } =
          await import('@floe/admin')
        return {
          definition: adminService,
          migrations,
          republishEvents: republishAdminEvents,
          findSettingProblems,
        }
      },
    },
    auth: {
      paths: ['/api/auth', '/api/oauth', '/api/users', '/api/tokens'],
      load: async () => {
        const { authService, migrations } = await import('@floe/auth')
        return { definition: authService, migrations }
      },
    },
    share: {
      paths: ['/api/shares', '/api/reverseShares'],
      load: async () => {
        const { shareService, migrations, republishShareEvents } = await import('@floe/share')
        return { definition: shareService, migrations, republishEvents: republishShareEvents }
      },
    },
    file: {
      paths: [
        '/api/shares/:shareId/files',
        '/api/uploads',
        '/up',
        '/api/users/me/storage',
        '/api/users/storage',
      ],
      load: async () => {
        const { fileService, migrations, republishFileEvents } = await import('@floe/file')
        return { definition: fileService, migrations, republishEvents: republishFileEvents }
      },
    },
  },
  loadGateway: () => import('@floe/gateway'),
  loadWorker: () => import('@floe/worker'),
}
