import { z } from 'zod'
import { uuidSchema } from './names.ts'

/** How many files can be chosen for one archive; a folder, or all files, may have more. */
export const MOST_CHOSEN_FILES = 2_000
/** As much of an address as every browser and proxy takes. */
const LONGEST_SELECTION = 7_000
const LONGEST_FOLDER = 1024

/**
 * What of a share an archive holds: all of it without either. A `folder` is written as in the names
 * of its files (`photos/2026`); a `selection` is what choosing files responded with.
 */
export const archivePartSchema = z
  .object({
    folder: z.string().min(1).max(LONGEST_FOLDER).optional(),
    selection: z.base64url().min(1).max(LONGEST_SELECTION).optional(),
  })
  .refine(({ folder, selection }) => folder === undefined || selection === undefined, {
    message: 'folder and selection exclude each other',
  })
export type ArchivePart = z.infer<typeof archivePartSchema>

export const chosenFilesSchema = z.object({
  files: z.array(uuidSchema).min(1).max(MOST_CHOSEN_FILES),
})

/** Short whatever was chosen, and valid for as long as the files of the share stay the same. */
export const archiveSelectionSchema = z
  .object({ selection: z.string() })
  .meta({ id: 'ArchiveSelection' })

/** The folders of a file and, last, what it is called: names like `a//b` count as `a/b`. */
export function pathParts(name: string): string[] {
  return name.split('/').filter((part) => part !== '')
}
