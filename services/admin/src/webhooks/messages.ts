import type { Happening, WebhookFormat } from '@floe/contracts'

export interface Message {
  contentType: string
  body: string
}

/** What is sent: the body of Standard Webhooks, or one sentence in the form of a service. */
export function renderMessage(format: WebhookFormat, happening: Happening): Message {
  const text = `Floe: ${describe(happening)}`
  switch (format) {
    case 'standard':
      return asJson({ type: happening.type, timestamp: happening.at, data: happening.data })
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

function describe({ type, data }: Happening): string {
  const share = `share ${quoted(data['name'] ?? data['shareId'])}`
  switch (type) {
    case 'share.completed':
      return `${share} is ready`
    case 'share.opened':
      return `${share} was opened`
    case 'share.downloaded':
      return `${share} was downloaded`
    case 'share.expired':
      return `${share} has expired`
    case 'share.deleted':
      return `${share} was deleted`
    case 'request.received':
      return `files were received through ${quoted(data['requestName'] ?? data['requestToken'])}`
    case 'upload.failed':
      return `the upload of ${quoted(data['name'])} was given up`
    case 'user.created':
      return `account ${quoted(data['username'])} was created`
    case 'user.deleted':
      return `account ${quoted(data['username'])} was deleted`
    case 'storage.almost_full':
      return `storage is almost full (${data['usedBytes']} of ${data['totalBytes']} bytes)`
    case 'job.failed':
      return `jobs have failed (${data['count']})`
    case 'test':
      return 'this is a test'
  }
}

/** In one line, without what services read as a command or a mention. */
function quoted(value: Happening['data'][string] | undefined): string {
  return `“${String(value ?? '').replaceAll(/[\u0000-\u001f\u007f<>@]/g, ' ')}”`
}
