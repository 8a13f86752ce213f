import { runExport } from '@floe/operator-tools'

process.exitCode = await runExport()
