import { z } from 'zod'

/** Of scanning files for viruses, where the operator has set a scanner. */
export const antivirusSettings = {
  /** `hold`: nothing is given to anybody before it was scanned; `mark`: what was not is marked. */
  'antivirus.policy': {
    type: 'string',
    default: 'hold',
    public: false,
    choices: ['hold', 'mark'],
  },
  /** Greater files are not scanned. libclamav looks at no more than 2 GiB. */
  'antivirus.maxFileSize': {
    type: 'number',
    default: 100_000_000,
    public: false,
    min: 1,
    max: 2_147_483_647,
    unit: 'byte',
  },
  /** Whether what is too big to be scanned is given to people under `hold`. */
  'antivirus.allowTooBig': { type: 'boolean', default: false, public: false },
} as const

/** Nobody knows of `not_scanned` yet, nor of `failed`, which is tried again; `too_big` is not scanned. */
export const scanStates = ['clean', 'infected', 'too_big', 'not_scanned', 'failed'] as const
export type ScanState = (typeof scanStates)[number]

/** `threat` is what the scanner calls it, where it is infected. */
export const fileScanSchema = z
  .object({ state: z.enum(scanStates), threat: z.string().optional() })
  .meta({ id: 'FileScan' })
export type FileScan = z.infer<typeof fileScanSchema>

/** Of all files that shares hold; `waiting` have no answer yet, those included that `failed`. */
export const scanReportSchema = z
  .object({
    isReachable: z.boolean(),
    waiting: z.number(),
    failed: z.number(),
    tooBig: z.number(),
    infected: z.number(),
    latestInfectedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ScanReport' })
export type ScanReport = z.infer<typeof scanReportSchema>
