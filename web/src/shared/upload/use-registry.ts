import { useMemo } from 'react'
import { createUploadRegistry, type UploadRegistry } from './upload-registry.ts'

export function useUploadRegistry(): UploadRegistry {
  return useMemo(() => createUploadRegistry({ indexedDB: window.indexedDB }), [])
}
