import { splitAddresses } from '../split-addresses.ts'

/** A text that people wrote: its web addresses are links, everything else is shown as it is. */
export function LinkedText({ text }: { text: string }) {
  return splitAddresses(text).map(({ text: part, isAddress }, index) =>
    isAddress ? (
      <a key={index} href={part} target="_blank" rel="noopener noreferrer nofollow">
        {part}
      </a>
    ) : (
      part
    ),
  )
}
