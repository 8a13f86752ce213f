import { runMigrate } from '@floe/operator-tools'
import { services } from './services.ts'

process.exitCode = await runMigrate(services.owners)
