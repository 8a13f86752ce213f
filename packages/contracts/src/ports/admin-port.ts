import { z } from 'zod'
import type { Settings } from '../config-catalogue.ts'
import { logoVersionSchema } from '../logo.ts'
import type { Port } from './port.ts'

const valuesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

// The type lives in the catalogue; across processes it is enough that values keep their kind.
export const settingsSchema = z.custom<Settings>((value) => valuesSchema.safeParse(value).success)

export const adminPort = {
  name: 'admin',
  methods: {
    /** Every effective setting, fresh within a second of a change on any replica. */
    settings: { input: z.object({}), output: settingsSchema },
    /** The version of the logo that was set, `null` where there is none. Never stale. */
    logo: {
      input: z.object({}),
      output: z.object({
        version: logoVersionSchema.nullable(),
        // Absent from an admin service of before the next one's.
        darkVersion: logoVersionSchema.nullable().default(null),
      }),
    },
    /** Whether the welcome of the first run is over; it never comes back. */
    setup: { input: z.object({}), output: z.object({ isFinished: z.boolean() }) },
    /** The icons of this logo in base64, by their path on the site; `null` once it is another. */
    icons: {
      input: z.object({ version: logoVersionSchema }),
      output: z.object({ icons: z.record(z.string(), z.base64()).nullable() }),
    },
  },
} as const
export type AdminPort = Port<typeof adminPort>
