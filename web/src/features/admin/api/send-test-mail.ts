import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Returns what the mail server said. Throws `smtp_disabled`, `mail_test_failed`. */
export async function sendTestMail(http: HttpClient, email: string): Promise<string> {
  const { reply } = await http.request({
    method: 'POST',
    path: '/api/configs/admin/testEmail',
    body: { email },
    response: z.object({ reply: z.string() }),
  })
  return reply
}
