import { createHash } from 'node:crypto'
import {
  type AuditEvent,
  type Actor,
  darkIconPath,
  type ErrorCode,
  type LogoVariant,
  type LogoVersions,
  MOST_LOGO_BYTES,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { type Icon, type IconMaker, MOST_LOGO_EDGE, type PngFault } from '@floe/pictures'
import type { LogoStore } from './ports.ts'

export interface Logo {
  versions(): Promise<LogoVersions>
  /** Icons by path, in base64; `null` once this is not the logo any more. */
  icons(version: string): Promise<Record<string, string> | null>
  /** Returns the version of the new logo. Fails with the logo_… codes and pictures_unavailable. */
  replace(
    variant: LogoVariant,
    file: { type: string; bytes: Uint8Array },
    actor: Actor,
  ): Promise<string>
  remove(variant: LogoVariant, actor: Actor): Promise<void>
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
    versions: () => store.versions(),
    icons: async (version) => {
      const icons = await store.icons(version)
      return icons && Object.fromEntries(icons.map(toEntry))
    },
    replace: async (variant, { type, bytes }, actor) => {
      if (type !== 'image/png') throw new AppError('logo_not_png')
      const made = await makeIcons(bytes)
      const icons = variant === 'dark' ? darkIcons(made) : made
      const version = versionOf(icons)
      const auditEvent = logoChanged(variant, actor)
      await store.replace({ variant, version, icons }, { now: clock(), auditEvent })
      return version
    },
    remove: (variant, actor) => store.remove(variant, logoChanged(variant, actor)),
  }
}

export function logoTooBig(cause: unknown): AppError {
  return new AppError('logo_too_big', { values: { bytes: MOST_LOGO_BYTES }, cause })
}

function logoChanged(variant: LogoVariant, actor: Actor): AuditEvent {
  const name = variant === 'dark' ? 'general.logoDark' : 'general.logo'
  return { action: 'setting.changed', actor, target: { type: 'setting', id: name, name } }
}

/** What pages show. Tabs and devices know a site by one logo, whatever their colors. */
function darkIcons(icons: readonly Icon[]): Icon[] {
  return icons
    .filter(({ path }) => /^img\/(?:logo|icons\/icon-\d+x\d+)\.png$/.test(path))
    .map(({ path, bytes }) => ({ path: darkIconPath(path), bytes }))
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
