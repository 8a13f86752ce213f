import { createHash } from 'node:crypto'
import { type AuditEvent, type Actor, type ErrorCode, MOST_LOGO_BYTES } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { type Icon, type IconMaker, MOST_LOGO_EDGE, type PngFault } from '@floe/pictures'
import type { LogoStore } from './ports.ts'

export interface Logo {
  version(): Promise<string | null>
  /** Icons by path, in base64; `null` once this is not the logo any more. */
  icons(version: string): Promise<Record<string, string> | null>
  /** Returns the version of the new logo. Fails with the logo_… codes and pictures_unavailable. */
  replace(file: { type: string; bytes: Uint8Array }, actor: Actor): Promise<string>
  remove(actor: Actor): Promise<void>
}

const codes = {
  not_png: 'logo_not_png',
  damaged: 'logo_damaged',
  too_many_pixels: 'logo_too_many_pixels',
  not_square: 'logo_not_square',
  animated: 'logo_animated',
} as const satisfies Record<PngFault, ErrorCode>

export function createLogo({
  store,
  iconMaker,
  clock,
}: {
  store: LogoStore
  iconMaker: IconMaker
  clock: () => Date
}): Logo {
  async function makeIcons(png: Uint8Array): Promise<Icon[]> {
    const outcome = await iconMaker.make(png)
    switch (outcome.state) {
      case 'made':
        return outcome.icons
      case 'refused':
        throw new AppError(codes[outcome.fault], { values: { edge: MOST_LOGO_EDGE } })
      default:
        throw new AppError('pictures_unavailable', { detail: outcome.reason })
    }
  }

  return {
    version: () => store.version(),
    icons: async (version) => {
      const icons = await store.icons(version)
      return icons && Object.fromEntries(icons.map(toEntry))
    },
    replace: async ({ type, bytes }, actor) => {
      if (type !== 'image/png') throw new AppError('logo_not_png')
      const icons = await makeIcons(bytes)
      const version = versionOf(icons)
      await store.replace({ version, icons }, { now: clock(), auditEvent: logoChanged(actor) })
      return version
    },
    remove: (actor) => store.remove(logoChanged(actor)),
  }
}

export function logoTooBig(cause: unknown): AppError {
  return new AppError('logo_too_big', { values: { bytes: MOST_LOGO_BYTES }, cause })
}

function logoChanged(actor: Actor): AuditEvent {
  const target = { type: 'setting', id: 'general.logo', name: 'general.logo' } as const
  return { action: 'setting.changed', actor, target }
}

function toEntry({ path, bytes }: Icon): [string, string] {
  return [path, Buffer.from(bytes).toString('base64')]
}

/** Hashes the icons and not the file, so that a release that draws them otherwise has another. */
function versionOf(icons: readonly Icon[]): string {
  const hash = createHash('sha256')
  for (const { path, bytes } of icons) hash.update(`${path}\n${bytes.length}\n`).update(bytes)
  return hash.digest('base64url').slice(0, 16)
}
