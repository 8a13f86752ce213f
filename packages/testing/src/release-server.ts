import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReleaseServer {
  /** For GITHUB_API_URL. */
  url: string
  stop(): void
}

/** Speaks as much of GitHub's API as the check for releases asks for, of whatever repository. */
export async function startReleaseServer(release: {
  version: string
  url: string
}): Promise<ReleaseServer> {
  const server = createServer((_request, response) => {
    response.end(JSON.stringify({ tag_name: `v${release.version}`, html_url: release.url }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() }
}
