import { type PreviewKind, previewKindOf } from '@floe/contracts'
import {
  type Icon,
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconMovie,
  IconMusic,
  IconPhoto,
} from '@tabler/icons-react'

const icons: Partial<Record<PreviewKind, Icon>> = {
  image: IconPhoto,
  vector: IconPhoto,
  video: IconMovie,
  audio: IconMusic,
  pdf: IconFileTypePdf,
  markdown: IconFileText,
  text: IconFileText,
}

/** What stands for a file of this name where there is no picture of it. */
export function kindIconOf(name: string): Icon {
  const kind = previewKindOf(name)
  return (kind && icons[kind]) ?? IconFile
}
