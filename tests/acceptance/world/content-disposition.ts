export interface Disposition {
  type: string
  parameters: Map<string, string>
  /** What RFC 6266 §4.3 lets a reader save it as: `filename*` before `filename`. */
  filename: string
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const parameter = new RegExp(
  `\\s*;\\s*(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))`,
  'y',
)

/** Reads `Content-Disposition` by the grammar of RFC 6266; throws on anything beside it. */
export function parseContentDisposition(header: string): Disposition {
  const type = new RegExp(`^${token}`).exec(header)?.[0]
  if (type === undefined) throw new Error(`no disposition type in ${JSON.stringify(header)}`)
  const parameters = new Map<string, string>()
  parameter.lastIndex = type.length
  let end = type.length
  for (let match = parameter.exec(header); match; match = parameter.exec(header)) {
    const [, name = '', quoted, plain = ''] = match
    const key = name.toLowerCase()
    if (parameters.has(key)) throw new Error(`${key} is told twice`)
    parameters.set(key, quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1'))
    end = parameter.lastIndex
  }
  if (end !== header.length) throw new Error(`what is ${JSON.stringify(header.slice(end))}?`)
  const extended = parameters.get('filename*')
  const filename = extended === undefined ? parameters.get('filename') : decodeExtended(extended)
  return { type, parameters, filename: filename ?? '' }
}

/** RFC 8187 §3.2.1. */
function decodeExtended(value: string): string {
  const match = /^UTF-8'[A-Za-z-]*'((?:%[0-9A-Fa-f]{2}|[!#$&+.^_`|~0-9A-Za-z-])*)$/.exec(value)
  if (!match) throw new Error(`${JSON.stringify(value)} is no extended value`)
  return decodeURIComponent(match[1] ?? '')
}
