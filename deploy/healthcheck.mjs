// The images' health check: is this container ready? No package is loaded, so that asking every few
// seconds costs next to nothing.
import { get } from 'node:http'

const request = get(
  {
    host: process.env.HOST || '127.0.0.1',
    port: process.env.PORT || 3000,
    path: '/api/health/ready',
    timeout: 5_000,
  },
  (response) => {
    response.resume()
    process.exitCode = response.statusCode === 200 ? 0 : 1
  },
)
request.on('timeout', () => request.destroy(new Error('no response within 5 s')))
request.on('error', (error) => {
  console.error(error.message)
  process.exitCode = 1
})
