import { type RichTextRequest, toRichText } from './to-rich-text.ts'

// A text that no parser gets through is shown as it is.
addEventListener('message', ({ data }: MessageEvent<RichTextRequest>) => {
  void toRichText(data).then(
    (tree) => postMessage(tree),
    () => postMessage(null),
  )
})
