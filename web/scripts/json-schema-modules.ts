/** How zod's schemas import what writes them as JSON Schema. */
export const jsonSchemaModules = /^\.\.\/core\/(?:to-json-schema|json-schema-processors)\.js$/
