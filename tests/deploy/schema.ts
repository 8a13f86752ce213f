import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js'

/** Tells what the schema finds wrong with a value, each as a place and a sentence. */
export function createValidator(schema: AnySchema): (value: unknown) => string[] {
  // The formats are names of their own, such as `duration`.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const validate = ajv.compile(schema)
  return (value) => {
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    )
  }
}
