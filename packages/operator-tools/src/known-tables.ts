import { storedData as admin } from '@floe/admin'
import { storedData as auth } from '@floe/auth'
import type { StoredData } from '@floe/db'
import { storedData as file } from '@floe/file'
import { storedData as share } from '@floe/share'

/** What each service keeps. */
export const knownTables: Readonly<Record<string, StoredData>> = { admin, auth, file, share }
