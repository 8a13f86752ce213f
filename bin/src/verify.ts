import { runVerify } from '@floe/operator-tools'

process.exitCode = await runVerify()
