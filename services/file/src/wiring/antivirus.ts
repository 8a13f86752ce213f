import type { AdminPort } from '@floe/contracts'
import { createFileGate } from '../antivirus/domain/file-gate.ts'
import { createScanning } from '../antivirus/domain/scanning.ts'
import { scanFiles } from '../antivirus/jobs/scan-files.ts'
import { answersPing } from '../antivirus/scanner/clamd.ts'
import type { FilePlatform } from '../platform.ts'
import type { Stores } from './stores.ts'

/** What asks the virus scanner, and the gate that lets bytes out. */
export function wireAntivirus(
  { clamav, log }: FilePlatform,
  { scans, objects }: Stores,
  { admin }: { admin: AdminPort },
) {
  const scanning = createScanning({ clamav, scans, objects, admin, log })
  return {
    gate: createFileGate({ scans: clamav !== null, admin }),
    consumers: scanFiles(scanning),
    report: async () => {
      if (clamav === null) return null
      const [isReachable, counts] = await Promise.all([answersPing(clamav), scans.count()])
      return { isReachable, ...counts }
    },
  }
}
