import { z } from 'zod'

/** Where the build of the page leaves what each of its addresses needs besides the app. */
export const PAGE_FILES_FILE = 'page-files.json'

const filesSchema = z.array(z.string())

export const pageFilesSchema = z.object({
  /** The first whose pattern the path matches; the last one takes every path. */
  pages: z.array(
    z.object({
      pattern: z.string(),
      files: filesSchema,
      /** A share's page speaks with the texts of the frame alone. */
      needsAllTexts: z.boolean(),
    }),
  ),
  /** What asks for the password of a share. */
  password: filesSchema,
  texts: z.record(z.string(), z.object({ frame: filesSchema, rest: filesSchema })),
})
export type PageFiles = z.infer<typeof pageFilesSchema>
