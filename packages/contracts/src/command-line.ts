/** Where an installation serves its command line. */
export const COMMAND_LINE_PATH = '/cli'

/** The command line, one file for Node.js. */
export const COMMAND_LINE_FILE = 'floe.mjs'

/** What installs it. */
export const INSTALL_SCRIPT_FILE = 'install.sh'
