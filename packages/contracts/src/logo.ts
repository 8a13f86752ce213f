import { z } from 'zod'

/** What the file of a logo may weigh: 5 MB. */
export const MOST_LOGO_BYTES = 5_000_000

/** Another one for every other logo. It stands behind the addresses of icons, for caches. */
export const logoVersionSchema = z.string().regex(/^[A-Za-z0-9_-]{16}$/)
