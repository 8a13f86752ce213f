import type { Happening, WebhookFormat } from '@floe/contracts'

export interface Message {
  contentType: string
  body: string
}

/** What is sent: the body of Standard Webhooks, or one sentence in the form of a service. */
export function renderMessage(format: WebhookFormat, happening: Happening): Message {
  const text = `Floe: ${sentences[happening.type](happening.data)}`
  switch (format) {
    case 'standard':
      return asJson({
        type: happening.type,
        // The database writes its own time with an offset and microseconds.
        timestamp: new Date(happening.at).toISOString(),
        data: happening.data,
      })
    case 'ntfy':
      return { contentType: 'text/plain; charset=utf-8', body: text }
    case 'discord':
      // Names of shares notify nobody.
      return asJson({ content: text, allowed_mentions: { parse: [] } })
    case 'slack':
    case 'matrix':
      return asJson({ text })
  }
}

function asJson(value: object): Message {
  return { contentType: 'application/json', body: JSON.stringify(value) }
}

type Data = Happening['data']

const sentences: Record<Happening['type'], (data: Data) => string> = {
  'share.completed': (data) => `${shareOf(data)} is ready`,
  'share.opened': (data) => `${shareOf(data)} was opened`,
  'share.downloaded': (data) => `${shareOf(data)} was downloaded`,
  'share.expired': (data) => `${shareOf(data)} has expired`,
  'share.deleted': (data) => `${shareOf(data)} was deleted`,
  'request.received': ({ requestName, requestToken }) =>
    `files were received through ${quoted(requestName ?? requestToken)}`,
  'upload.failed': ({ name }) => `the upload of ${quoted(name)} was given up`,
  'file.infected': ({ fileName, threat, ...data }) =>
    `a virus was found in ${quoted(fileName)} of ${shareOf(data)}: ${quoted(threat)}`,
  'user.created': ({ username }) => `account ${quoted(username)} was created`,
  'user.deleted': ({ username }) => `account ${quoted(username)} was deleted`,
  'storage.almost_full': ({ usedBytes, totalBytes }) =>
    `storage is almost full (${usedBytes} of ${totalBytes} bytes)`,
  'job.failed': ({ count }) => `jobs have failed (${count})`,
  test: () => 'this is a test',
}

function shareOf({ name, shareId }: Data): string {
  return `share ${quoted(name ?? shareId)}`
}

/** In one line, without what services read as a command or a mention. */
function quoted(value: Data[string] | undefined): string {
  return `“${String(value ?? '').replaceAll(/[\u0000-\u001f\u007f<>@]/g, ' ')}”`
}
