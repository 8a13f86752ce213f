import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js'

/** What the schema finds wrong, each as a place and a sentence. */
export function findProblems(schema: AnySchema, value: unknown): string[] {
  // The formats are names of their own, such as `duration`.
  const validate = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile(
    schema,
  )
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
}
