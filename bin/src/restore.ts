import { runRestore } from '@floe/operator-tools'

process.exitCode = await runRestore()
