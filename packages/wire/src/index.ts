export {
  connectionOptions,
  createHeadReader,
  type HeadReader,
  MalformedAnswerError,
  type ResponseHead,
} from './response-head.ts'
export {
  type BodyReceiver,
  createDirectServer,
  type DirectBody,
  directBodyOf,
} from './direct-body.ts'
