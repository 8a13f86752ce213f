import { runBackup } from '@floe/operator-tools'

process.exitCode = await runBackup()
