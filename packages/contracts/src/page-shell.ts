import type { ErrorCode } from './errors.ts'
import type { Boot } from './page-boot.ts'
import type { ShareContents, SharePreview } from './ports/share-port.ts'
import type { FormRefusal } from './shares.ts'

/**
 * Where the build of the page leaves the module that draws what a document shows before its
 * scripts run. The gateway imports it and sends it to nobody.
 */
export const PAGE_SHELL_FOLDER = 'shell'
export const PAGE_SHELL_FILE = `${PAGE_SHELL_FOLDER}/shell.js`

/** What a share's page shows before any script runs, and where none does. */
export interface SharePage {
  id: string
  /** What everybody may know; `null` for a share that does not open to everybody. */
  preview: SharePreview | null
  /** For people who were let in. */
  contents: ShareContents | null
  /** Why there is no preview. */
  refusal: ShareRefusal | null
  /** Why the form that was just sent did not open it. */
  formRefusal: FormRefusal | null
  /** A code was just asked for by a form. */
  isCodeRequested: boolean
}

export interface ShareRefusal {
  /** `null` when it is unknown. */
  code: ErrorCode | null
  message: string
  /** Nothing may be typed that is to open it: the server is not to know the password. */
  isEncrypted: boolean
}

export interface PageView {
  path: string
  boot: Boot
  /** `null` on every other page. */
  share: SharePage | null
  /** Markdown, on a legal page that has some. */
  legalText?: string
}

export interface PageShell {
  /** Stands ahead of the site's name; `null` for the name alone. */
  title: string | null
  /** What the site is. */
  siteDescription: string
  /** What everybody may know of the share. */
  shareSummary: string | null
  /** HTML, until the application takes its place. */
  firstPaint: string
}

/** What the module exports. */
export interface PageShellModule {
  renderShell(view: PageView): Promise<PageShell>
  /** The style sheet of a theme that follows this color, such as `#1b7ea6`. */
  renderAccent(color: string): string
}
