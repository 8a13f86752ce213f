import { describeSchema, fieldsTable, type Schema } from './api-schemas.ts'
import type { Page } from './pages.ts'
import { readRepositoryFile } from './repository.ts'
import { cell, table } from './tables.ts'

const source = 'docs/openapi.json'
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface Operation {
  operationId: string
  tags: [string]
  summary: string
  description: string
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[]
  requestBody?: Content
  security?: unknown
  responses: Record<string, Content & { description: string }>
}

interface ApiDocument {
  info: { version: string; description: string }
  paths: Record<string, Partial<Record<(typeof methods)[number], Operation>>>
  components: { schemas: Record<string, Schema> }
}

interface Call extends Operation {
  /** As in `POST /api/shares`. */
  line: string
}

/** The pages of the API description, which is their only source. */
export function describeApi(): { operations: Page; groups: Page[]; schemas: Page } {
  const document = JSON.parse(readRepositoryFile(source)) as ApiDocument
  const tags = new Map<string, Call[]>()
  for (const call of listCalls(document)) {
    tags.set(call.tags[0], [...(tags.get(call.tags[0]) ?? []), call])
  }
  const groups = [...tags].map(([tag, calls]) => ({
    path: groupPath(tag),
    source: `${source}#${tag}`,
    markdown: [`# API: ${tag}`, ...calls.map(describeCall)].join('\n\n'),
    label: tag,
  }))
  return { operations: listOperations(document, tags), groups, schemas: listSchemas(document) }
}

function listCalls({ paths }: ApiDocument): Call[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations[method]
      return operation ? [{ ...operation, line: `${method.toUpperCase()} ${path}` }] : []
    }),
  )
}

function groupPath(tag: string): string {
  return `api/${tag.toLowerCase().replaceAll(' ', '-')}`
}

function listOperations({ info }: ApiDocument, tags: Map<string, Call[]>): Page {
  const lists = [...tags].map(([tag, calls]) => {
    const rows = calls.map(({ line, summary, operationId }) => [
      `[\`${line}\`](site:${groupPath(tag)}#${operationId.toLowerCase()})`,
      cell(summary),
    ])
    return `## ${tag}\n\n${table(['Operation', 'What it does'], rows)}`
  })
  return {
    path: 'api/operations',
    source,
    label: 'All operations',
    markdown: [
      '# API: all operations',
      `The API of version ${info.version}. ${info.description}`,
      ...lists,
    ].join('\n\n'),
  }
}

function listSchemas({ components }: ApiDocument): Page {
  const parts = Object.entries(components.schemas)
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, schema]) => `## ${name}\n\n${describeSchema(schema)}`)
  return {
    path: 'api/schemas',
    source: `${source}#schemas`,
    label: 'Schemas',
    markdown: ['# API: schemas', 'What requests and responses are made of.', ...parts].join('\n\n'),
  }
}

function describeCall(call: Call): string {
  const parameters = (call.parameters ?? []).map(({ name, in: place, required, schema }) => ({
    name,
    note: place,
    required: required === true,
    schema,
  }))
  return [
    `## ${call.summary} {#${call.operationId.toLowerCase()}}`,
    `\`\`\`http\n${call.line}\n\`\`\``,
    call.description,
    ...(parameters.length > 0 ? ['**Parameters**', fieldsTable(parameters)] : []),
    ...describeBody(call.requestBody),
    '**Responses**',
    table(
      ['Status', 'Meaning', 'Body'],
      Object.entries(call.responses).map(([status, response]) => [
        status,
        cell(response.description),
        describeContent(response),
      ]),
    ),
  ].join('\n\n')
}

function describeBody(body: Content | undefined): string[] {
  return Object.entries(body?.content ?? {}).flatMap(([type, { schema }]) => [
    `**Body**, \`${type}\``,
    describeSchema(schema),
  ])
}

/** A named schema by its link, everything else in few words. */
function describeContent({ content = {} }: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) =>
      type === 'application/json' ? cell(describeSchema(schema, { inline: true })) : `\`${type}\``,
    )
    .join(', ')
}
