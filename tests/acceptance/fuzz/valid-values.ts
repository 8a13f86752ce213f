import fc from 'fast-check'
import { z } from 'zod'

/** Stands in a generated value for what only the world knows when the request is sent. */
export function reference(name: string): string {
  return `\ue001${name}`
}

export function readReference(text: string): string | null {
  return text.startsWith('\ue001') ? text.slice(1) : null
}

type JsonSchema = z.core.JSONSchema.JSONSchema

/** Arbitraries of members by their name, where a schema does not tell what makes sense. */
export type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** Values that the schema accepts, as they are written on the wire. */
export function arbitraryOf(schema: z.ZodType, known: Known = {}): fc.Arbitrary<unknown> {
  return fromJsonSchema(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
    known,
  )
}

/** A query that the schema accepts: texts by their name, absent ones left out. */
export function queryOf(schema: z.ZodObject, known: Known = {}) {
  return arbitraryOf(schema, known).map((value) =>
    Object.entries(value as Record<string, unknown>).map(([name, member]): [string, string] => [
      name,
      String(member),
    ]),
  )
}

function fromJsonSchema(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map((option) => fromJsonSchema(asSchema(option), known)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  switch (schema.type) {
    case 'object':
      return objectOf(schema, known)
    case 'array':
      return arrayOf(schema, known)
    case 'string':
      return stringOf(schema)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return schema.allOf ? fromJsonSchema(asSchema(schema.allOf[0]), known) : fc.jsonValue()
  }
}

function asSchema(schema: unknown): JsonSchema {
  const one: unknown = Array.isArray(schema) ? schema[0] : schema
  return typeof one === 'object' && one !== null ? (one as JsonSchema) : {}
}

function objectOf({ properties = {}, required = [] }: JsonSchema, known: Known) {
  const members = Object.entries(properties).map(
    ([name, schema]) => [name, known[name] ?? fromJsonSchema(asSchema(schema), known)] as const,
  )
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required] })
}

function arrayOf({ items, minItems = 0, maxItems = 3 }: JsonSchema, known: Known) {
  return fc.array(fromJsonSchema(asSchema(items), known), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(3, maxItems)),
  })
}

function stringOf({ format, pattern, minLength = 0, maxLength = 60 }: JsonSchema) {
  const fit = (text: string) => text.padEnd(minLength, 'a').slice(0, maxLength)
  switch (format) {
    case 'email':
      return fc.stringMatching(/^[a-z]{1,12}@floe\.test$/)
    case 'uuid':
      return fc.uuid()
    case 'date-time':
      return fc
        .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString())
  }
  // Lookarounds are nothing that texts can be made from.
  if (pattern !== undefined && !pattern.includes('(?=') && !pattern.includes('(?!')) {
    return fc.stringMatching(new RegExp(pattern)).map(fit)
  }
  return fc
    .oneof(
      fc.string({ maxLength: Math.min(maxLength, 60) }),
      fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 20) }),
    )
    .map(fit)
}

function numberOf({ type, minimum, maximum, exclusiveMinimum }: JsonSchema) {
  const low = minimum ?? (typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : -1_000)
  const high = Math.max(low, maximum ?? Number.MAX_SAFE_INTEGER)
  const small = fc.integer({ min: low, max: Math.min(high, low + 20) })
  const any = fc.integer({ min: low, max: high })
  const edge = fc.constantFrom(low, high)
  const numbers = [{ weight: 3, arbitrary: small }, edge, any]
  return type === 'integer'
    ? fc.oneof(...numbers)
    : fc.oneof(...numbers, fc.double({ min: low, max: Math.min(high, 2 ** 40), noNaN: true }))
}
