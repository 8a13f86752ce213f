import { z } from 'zod'

/** What the file of a logo may weigh: 5 MB. */
export const MOST_LOGO_BYTES = 5_000_000

/** A site has a logo, and may have another one for where the page is dark. */
export const logoVariants = ['light', 'dark'] as const
export type LogoVariant = (typeof logoVariants)[number]

/** `null` for what was not set. */
export type LogoVersions = Record<LogoVariant, string | null>

/** Where the dark logo has what the usual one has at a path. */
export function darkIconPath(path: string): string {
  return path.replace(/\.png$/, '-dark.png')
}

/** The other way round; every other path stays as it is. */
export function usualIconPath(path: string): string {
  return path.replace(/^(\/img\/.+)-dark\.png$/, '$1.png')
}

/** Another one for every other logo. It stands behind the addresses of icons, for caches. */
export const logoVersionSchema = z.string().regex(/^[A-Za-z0-9_-]{16}$/)
