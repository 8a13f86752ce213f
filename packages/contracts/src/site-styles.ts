/** Style sheets that follow the settings of the site, in the order in which they apply. */
export const siteStylePaths = {
  /** What the accent color changes of the theme. */
  accent: '/site/accent.css',
  /** What administrators have written. */
  custom: '/site/custom.css',
} as const

/** The version of each, which stands behind its address; `null` for one that is empty. */
export type SiteStyleVersions = Record<keyof typeof siteStylePaths, string | null>
