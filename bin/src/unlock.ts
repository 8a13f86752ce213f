import { runUnlock } from '@floe/operator-tools'

process.exitCode = await runUnlock()
