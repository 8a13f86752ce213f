/** Creates an upload and returns the path of its URL. */
export async function createTusUpload(options: {
  port: number
  path: string
  sizeBytes: number
  metadata: Record<string, string>
  headers?: Record<string, string>
}): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${options.port}${options.path}`, {
    method: 'POST',
    headers: {
      ...options.headers,
      'Tus-Resumable': '1.0.0',
      'Upload-Length': `${options.sizeBytes}`,
      'Upload-Metadata': encodeMetadata(options.metadata),
    },
  })
  const location = response.headers.get('location')
  if (response.status !== 201 || location === null) {
    throw new Error(`creating an upload returned ${response.status}: ${await response.text()}`)
  }
  return new URL(location, response.url).pathname
}

export function encodeMetadata(metadata: Record<string, string>): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}
