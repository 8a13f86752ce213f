export { createGateway, type Gateway, type GatewayOptions, type Upstream } from './gateway.ts'
export { createOpenApiDocument } from './openapi/document.ts'
export { precompress } from './page/precompress.ts'
