import type { LogoVariant } from '@floe/contracts'
import { type Database, recordAuditEvents } from '@floe/db'
import type { LogoStore } from '../domain/ports.ts'

interface IconRow {
  variant: LogoVariant
  path: string
  version: string
  bytes: Buffer
  updated_at: Date
}

/** Every row of a variant belongs to the same logo: writers wait for each other, readers wait for nobody. */
const LOCK = 'lock table logo_icons in share row exclusive mode'

export function createLogoStore({ knex }: Database): LogoStore {
  return {
    async versions() {
      const rows = await knex<IconRow>('logo_icons').distinct('variant', 'version')
      const versionOf = (variant: LogoVariant) =>
        rows.find((row) => row.variant === variant)?.version ?? null
      return { light: versionOf('light'), dark: versionOf('dark') }
    },
    async icons(version) {
      const rows = await knex<IconRow>('logo_icons').where({ version }).select('path', 'bytes')
      return rows.length === 0 ? null : rows.map(({ path, bytes }) => ({ path, bytes }))
    },
    replace: ({ variant, version, icons }, { now, auditEvent }) =>
      knex.transaction(async (trx) => {
        await trx.raw(LOCK)
        await trx<IconRow>('logo_icons').where({ variant }).delete()
        await trx<IconRow>('logo_icons').insert(
          icons.map(({ path, bytes }) => ({
            variant,
            path,
            version,
            bytes: Buffer.from(bytes),
            updated_at: now,
          })),
        )
        await recordAuditEvents(trx, [auditEvent])
      }),
    remove: (variant, auditEvent) =>
      knex.transaction(async (trx) => {
        await trx.raw(LOCK)
        const count = await trx<IconRow>('logo_icons').where({ variant }).delete()
        if (count > 0) await recordAuditEvents(trx, [auditEvent])
      }),
  }
}
