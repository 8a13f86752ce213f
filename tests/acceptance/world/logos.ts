import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { LogoVariant } from '@floe/contracts'
import type { HttpResponse, Client } from './http-client.ts'

const paths = { light: '/api/configs/admin/logo', dark: '/api/configs/admin/logoDark' }

/** As a browser sends a file that was chosen in a form. */
export function setLogo(
  admin: Client,
  bytes: Buffer,
  { type = 'image/png', variant = 'light' }: { type?: string; variant?: LogoVariant } = {},
): Promise<HttpResponse> {
  const boundary = `----${randomUUID()}`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="logo.png"\r\nContent-Type: ${type}\r\n\r\n`
  return admin.send('POST', paths[variant], {
    bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  })
}

export function removeLogo(admin: Client, variant: LogoVariant = 'light'): Promise<HttpResponse> {
  return admin.send('DELETE', paths[variant])
}

const MEGABYTE = 1024 * 1024

/** The most memory that a process has had since its peak was forgotten. */
export function peakMegabytes(pid: number): number {
  return (readStatus(pid, 'VmHWM') * 1024) / MEGABYTE
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The processes that decode pictures for this one. */
export function findDecoders(pid: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((child) => {
      try {
        const program = readFileSync(`/proc/${child}/cmdline`, 'utf8')
        return program.includes('decode-process') && readStatus(child, 'PPid') === pid
      } catch {
        // It ended as it was looked at.
        return false
      }
    })
}

function readStatus(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
}
