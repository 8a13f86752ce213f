import openapiTS, { astToString } from 'openapi-typescript'

const NOTE = '// Made from docs/openapi.json by "npm run openapi". Do not edit.\n\n'

/** TypeScript declarations of every call that an API description (OpenAPI 3.1, as JSON) tells of. */
export async function generateTypes(description: string): Promise<string> {
  return NOTE + astToString(await openapiTS(description, { alphabetize: true }))
}
