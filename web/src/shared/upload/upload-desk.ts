import { createContext, use } from 'react'
import type { UploadJob } from './upload-job.ts'

/** Keeps an upload under way while people look at other pages. */
export interface UploadDesk {
  job: UploadJob | null
  put(job: UploadJob | null): void
}

export const UploadDeskContext = createContext<UploadDesk | null>(null)

export function useUploadDesk(): UploadDesk {
  const desk = use(UploadDeskContext)
  if (!desk) throw new Error('UploadDeskContext is missing')
  return desk
}
