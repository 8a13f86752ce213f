import { z } from 'zod'

/** Where the build of the page leaves what each page needs besides the app. */
export const PAGE_FILES_FILE = 'page-files.json'

const filesSchema = z.array(z.string())

export const pageFilesSchema = z.object({
  /** By its name in the table of pages. */
  pages: z.record(z.string(), filesSchema),
  notFound: filesSchema,
  /** What asks for the password of a share. */
  password: filesSchema,
  texts: z.record(z.string(), z.object({ frame: filesSchema, rest: filesSchema })),
})
export type PageFiles = z.infer<typeof pageFilesSchema>
