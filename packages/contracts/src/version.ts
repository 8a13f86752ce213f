/** The version of the product: what the page and API clients see, and that of `package.json`. */
export const VERSION = '0.24.1'

/** Floe's own releases of that version, counted from 1. */
const RELEASE = 1

/** What tells one release from the next: in health details, the API description and file names. */
export const RELEASE_VERSION = `${VERSION}+floe.${RELEASE}`

/** The same for tags of images, which may have no plus sign, and of commits. */
export const RELEASE_TAG = RELEASE_VERSION.replace('+', '-')
