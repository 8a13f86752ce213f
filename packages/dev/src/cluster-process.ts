import { fileURLToPath } from 'node:url'
import { runCluster } from './cluster/cluster.ts'

await runCluster({ program: fileURLToPath(new URL('../../../bin/dist/main.js', import.meta.url)) })
