import { runImport } from '@floe/operator-tools'
import { services } from './services.ts'

process.exitCode = await runImport(services.owners)
