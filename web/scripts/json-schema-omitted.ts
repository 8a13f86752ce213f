/** Stands in for zod's modules that write JSON Schema, see `vite.config.ts`. */
const omitted = () => undefined

export const createToJSONSchemaMethod = omitted
export const createStandardJSONSchemaMethod = omitted
export const toJSONSchema = omitted
