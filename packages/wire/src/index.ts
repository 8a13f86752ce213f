export {
  connectionOptions,
  createHeadReader,
  type HeadReader,
  MalformedAnswerError,
  type ResponseHead,
} from './response-head.ts'
