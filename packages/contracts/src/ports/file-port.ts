import { z } from 'zod'
import { fileScanSchema, scanReportSchema } from '../antivirus.ts'
import { sha256Schema } from '../names.ts'
import { downloadableSchema, downloadCountSchema, hourCountSchema } from '../share-activity.ts'
import { thumbnailSizeSchema } from '../shares.ts'
import { listOwnDataMethod } from '../stored-data.ts'
import type { Port } from './port.ts'
import { readGrantSchema } from './share-port.ts'

export const shareSizeSchema = z.object({
  shareUid: z.guid(),
  fileCount: z.number(),
  sizeBytes: z.number(),
})

/** `sha256` is null until a job has read the file back, if it did not come whole in one request. */
const listedFileSchema = z.object({
  id: z.guid(),
  name: z.string(),
  sizeBytes: z.number(),
  sha256: sha256Schema.nullable(),
  /** Absent where nothing is scanned. */
  scan: fileScanSchema.optional(),
})
const shownFileSchema = listedFileSchema.extend({ thumbnail: thumbnailSizeSchema.optional() })

const unfinishedSchema = shareSizeSchema.omit({ shareUid: true }).extend({
  receivedBytes: z.number(),
  files: z.array(z.object({ name: z.string(), sizeBytes: z.number(), receivedBytes: z.number() })),
})
export type UnfinishedFiles = z.infer<typeof unfinishedSchema>

/** `progress` from 0 to 1 while the archive is being prepared, absent once it is ready. */
const archiveStatusSchema = z.object({
  isReady: z.boolean(),
  progress: z.number().min(0).max(1).optional(),
})
export type ArchiveStatus = z.infer<typeof archiveStatusSchema>

export const filePort = {
  name: 'file',
  methods: {
    listOwnData: listOwnDataMethod,
    /**
     * The files of the edition that the grant tells, sorted by name; `name` carries the folder:
     * `photos/2026/a.jpg`. `most` leaves out all but the first ones.
     */
    listFiles: {
      input: z.object({ grant: readGrantSchema, most: z.int().min(1).optional() }),
      output: z.array(shownFileSchema),
    },
    /** Uploads into the share that are no file yet: numbers of all, and the first that were begun. */
    listUnfinished: {
      input: z.object({ grant: readGrantSchema }),
      output: unfinishedSchema,
    },
    /** Count and sum of the files of the edition that the grant tells. */
    measureFiles: {
      input: z.object({ grant: readGrantSchema }),
      output: shareSizeSchema.omit({ shareUid: true }),
    },
    /** `listFiles` of many shares at once, without thumbnails; shares without files are left out. */
    listFilesOfShares: {
      input: z.object({ grants: z.array(readGrantSchema) }),
      output: z.array(z.object({ shareUid: z.guid(), files: z.array(listedFileSchema) })),
    },
    /**
     * Count and sum of finished files in the edition being worked on; shares without files are
     * listed with zeros. `waiting` are those that must be scanned before anybody reads them; absent
     * where nothing is held.
     */
    measureShares: {
      input: z.object({ shareUids: z.array(z.guid()) }),
      output: z.array(shareSizeSchema.extend({ waiting: z.number().optional() })),
    },
    /** The sum of all finished files, those included that an edit has removed and nobody purged. */
    measureStorage: { input: z.object({}), output: z.object({ sizeBytes: z.number() }) },
    /** The disk that files are on, whatever else is on it; `null` where they are not on one. */
    measureDisk: {
      input: z.object({}),
      output: z.object({ usedBytes: z.number(), totalBytes: z.number() }).nullable(),
    },
    /** What the virus scanner said of all files, and whether it can be asked; null without one. */
    scanReport: {
      input: z.object({}),
      output: z.object({ report: scanReportSchema.nullable() }),
    },
    /** Gives up what was added and removed since this edition was published. Safe to repeat. */
    discardChanges: {
      input: z.object({ shareUid: z.guid(), edition: z.int().min(1) }),
      output: z.object({}),
    },
    /** Is Download all ready? Asking sees to it that it will be. */
    archiveStatus: {
      input: z.object({ grant: readGrantSchema }),
      output: archiveStatusSchema,
    },
    /**
     * How often the archive and each file of the edition that the grant tells were downloaded, files
     * sorted by name; `hours` from `since` on, of everything or of `only` one of them. Downloads of
     * the last second may be missing that another process has counted.
     * Fails with file_not_found when `only` names none of them.
     */
    countDownloads: {
      input: z.object({
        grant: readGrantSchema,
        only: downloadableSchema.nullable(),
        since: z.iso.datetime(),
      }),
      output: z.object({
        hours: z.array(hourCountSchema),
        archive: downloadCountSchema,
        files: z.array(
          listedFileSchema
            .pick({ id: true, name: true, sizeBytes: true })
            .extend({ ...downloadCountSchema.shape }),
        ),
      }),
    },
  },
} as const
export type FilePort = Port<typeof filePort>
