import { config } from 'zod'

// A schema tries whether it may compile itself. The page's policy forbids that, and browsers report
// each try, so this runs before the first schema is made.
config({ jitless: true })
