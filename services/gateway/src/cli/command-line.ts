import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { COMMAND_LINE_FILE, COMMAND_LINE_PATH, INSTALL_SCRIPT_FILE } from '@floe/contracts'
import express, { type Router } from 'express'
import { findSiteAddress, requestAddress } from '../page/site-address.ts'
import type { Site } from '../page/site.ts'
import { sendFile, toWebFile, type WebFile } from '../page/web-files.ts'
import { renderInstallScript } from './install-script.ts'

export interface CommandLineOptions {
  /** The built command line: one file for Node.js. */
  commandLineFile: string
  site: Pick<Site, 'settings'>
  publicUrl: string | null
}

/** The command line of this very release, and the script that installs it for this site. */
export function createCommandLine({
  commandLineFile,
  site,
  publicUrl,
}: CommandLineOptions): Router {
  const router = express.Router({ caseSensitive: true })
  let built: { file: WebFile; sha256: string } | null = null
  // Read when first asked for, as most processes never are.
  const read = () => (built ??= readBuilt(commandLineFile))

  router.get(`${COMMAND_LINE_PATH}/${COMMAND_LINE_FILE}`, (req, res, next) => {
    const found = read()
    if (found === null) next()
    else sendFile(found.file, req, res)
  })
  router.get(`${COMMAND_LINE_PATH}/${INSTALL_SCRIPT_FILE}`, async (req, res, next) => {
    const found = read()
    if (found === null) return next()
    const settings = await site.settings()
    const known = findSiteAddress([settings['general.appUrl'], publicUrl])
    const script = renderInstallScript({
      address: known ?? requestAddress(req),
      sha256: found.sha256,
    })
    res.type('text/x-shellscript').send(script)
  })
  return router
}

function readBuilt(path: string) {
  if (!existsSync(path)) return null
  const content = readFileSync(path)
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { file: toWebFile(COMMAND_LINE_FILE, content), sha256 }
}
