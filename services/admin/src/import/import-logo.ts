import type { LogoVariant } from '@floe/contracts'
import type { Database } from '@floe/db'
import { isAppError } from '@floe/errors'
import type { Log } from '@floe/log'
import { createIconMaker } from '@floe/pictures'
import { createLogo } from '../domain/logo.ts'
import { createLogoStore } from '../stores/logo-store.ts'

interface ImportLogoOptions {
  database: Database
  log: Log
  clock: () => Date
  variant: LogoVariant
  bytes: Buffer
}

const refusals = [
  'logo_not_png',
  'logo_damaged',
  'logo_too_many_pixels',
  'logo_not_square',
  'logo_animated',
  'pictures_unavailable',
] as const

/** Takes a logo where there is none; resolves to the code of what is wrong with it, else to null. */
export async function importLogo({
  database,
  log,
  clock,
  variant,
  bytes,
}: ImportLogoOptions): Promise<(typeof refusals)[number] | null> {
  const iconMaker = createIconMaker({ log })
  try {
    const logo = createLogo({ store: createLogoStore(database), iconMaker, clock })
    if ((await logo.versions())[variant] !== null) return null
    await logo.replace(variant, { type: 'image/png', bytes }, importer)
    return null
  } catch (error) {
    const refusal = refusals.find((code) => isAppError(error, code))
    if (refusal === undefined) throw error
    return refusal
  } finally {
    await iconMaker.stop()
  }
}

const importer = { id: null, name: null, address: '', userAgent: 'import' }
