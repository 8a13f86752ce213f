import { z } from 'zod'
import type { Settings } from '../config-catalogue.ts'
import type { Port } from './port.ts'

// The type lives in the catalogue; across processes it is enough that values keep their kind.
export const settingsSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()]),
) as unknown as z.ZodType<Settings, Settings>

export const adminPort = {
  name: 'admin',
  methods: {
    /** Every effective setting, fresh within a second of a change on any replica. */
    settings: { input: z.object({}), output: settingsSchema },
  },
} as const
export type AdminPort = Port<typeof adminPort>
