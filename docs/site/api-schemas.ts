import { cell, code, table } from './tables.ts'

/** What the API description has of JSON Schema. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  format?: string
  pattern?: string
  default?: unknown
  description?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

interface Field {
  name: string
  note?: string
  required: boolean
  schema: Schema
}

/** A table of its fields where it has some, unless it has to stand in a line. */
export function describeSchema(schema: Schema, { inline = false } = {}): string {
  const fields = inline ? [] : listFields(schema)
  return fields.length > 0 ? fieldsTable(fields) : typeOf(schema)
}

export function fieldsTable(fields: Field[]): string {
  const hasNotes = fields.some(({ note }) => note !== undefined)
  return table(
    ['Name', ...(hasNotes ? ['In'] : []), 'Type', 'Required'],
    fields.map(({ name, note, required, schema }) => [
      code(name),
      ...(hasNotes ? [note ?? ''] : []),
      cell([typeOf(schema), schema.description].filter(Boolean).join('. ')),
      required ? 'yes' : '',
    ]),
  )
}

/** The fields of objects within it too, as in `security.password` and `files[].name`. */
function listFields(schema: Schema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const field = {
      name: path,
      required: schema.required?.includes(name) ?? false,
      schema: property,
    }
    return [field, ...listInner(property, path)]
  })
}

function listInner(schema: Schema, path: string): Field[] {
  if (schema.properties) return listFields(schema, `${path}.`)
  if (schema.items) return listInner(schema.items, `${path}[]`)
  return (schema.anyOf ?? []).flatMap((one) => listInner(one, path))
}

function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return `[${name}](site:api/schemas#${name.toLowerCase()})`
  }
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ')
  if (schema.items) return `array of ${typeOf(schema.items)}${limitsOf(schema)}`
  if (typeof schema.additionalProperties === 'object') {
    return `object with values of ${typeOf(schema.additionalProperties)}`
  }
  return `${[schema.type ?? 'any'].flat().join(' or ')}${limitsOf(schema)}`
}

function limitsOf(schema: Schema): string {
  const { minimum, exclusiveMinimum, maximum } = schema
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  const limits = [
    schema.format,
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'entries'),
    range(least, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum),
    // Formats have patterns too, which say nothing more to people.
    schema.pattern && !schema.format ? code(schema.pattern) : undefined,
    schema.default === undefined ? undefined : `default ${code(JSON.stringify(schema.default))}`,
  ].filter((limit) => limit !== undefined)
  return limits.length > 0 ? ` (${limits.join(', ')})` : ''
}

function range(least?: number, most?: number, unit = ''): string | undefined {
  if (least === undefined && most === undefined) return undefined
  const words =
    most === undefined
      ? `at least ${least}`
      : least === undefined || (least === 0 && unit !== '')
        ? `at most ${most}`
        : least === most
          ? `${least}`
          : `${least} to ${most}`
  return `${words} ${unit}`.trimEnd()
}
