import { createContext, useContext } from 'react'
import type { HttpClient } from '../../shared/api/http-client.ts'
import { apiPaths } from '../../shared/paths.ts'
import { selectFiles } from './api/select-files.ts'
import type { Folder } from './file-tree.ts'

/** Where the files of a share are had from. */
export interface ShareAddresses {
  file(shareId: string, fileId: string): string
  /** Of all files, or those in a folder. */
  archive(shareId: string, folder?: Folder): string
  /** Whether links say that the browser shall save what is there; the responses do in any case. */
  isSaidByLinks: boolean
  /** Of some files. */
  selection(
    http: Pick<HttpClient, 'request'>,
    shareId: string,
    fileIds: readonly string[],
  ): Promise<string>
}

const serverAddresses: ShareAddresses = {
  file: apiPaths.file,
  archive: (shareId, folder) => apiPaths.archive(shareId, folder && { folder: folder.path }),
  isSaidByLinks: true,
  async selection(http, shareId, fileIds) {
    return apiPaths.archive(shareId, { selection: await selectFiles(http, shareId, fileIds) })
  },
}

/** The server's, unless the files are decrypted on their way. */
export const ShareAddressesContext = createContext(serverAddresses)

export function useShareAddresses(): ShareAddresses {
  return useContext(ShareAddressesContext)
}
