import { deriveUuid } from '../derive-uuid.ts'
import { isArgon2id } from '../passwords.ts'
import { readFileBelow } from '../read-file.ts'
import { bareShare, type SourceFile, type SourceShare } from '../source.ts'
import type { Tables } from '../sqlite/tables.ts'
import { amount, date, type Row, text, textOrNull } from '../sqlite/values.ts'

interface ReadSharesOptions {
  tables: Tables
  filesPath: string
  atOnce: number
  losses: string[]
}

/** What their pages have in their addresses is the alias. */
export function hasShare(tables: Tables, id: string): boolean {
  return (
    tables.all('share_aliases', 'where "alias" = ?', [id]).length > 0 ||
    tables.all('shares', 'where "id" = ?', [id]).length > 0
  )
}

export async function* readShares(options: ReadSharesOptions): AsyncIterable<SourceShare[]> {
  const { tables, atOnce, losses } = options
  const [brought, unreadable] = [new Set<string>(), new Set<string>()]
  for (let last = 0; ;) {
    const rows = tables.all('shares', 'where rowid > ? order by rowid limit ?', [last, atOnce])
    if (rows.length === 0) break
    last = Number(rows.at(-1)?.rowid)
    const page: SourceShare[] = []
    for (const row of rows) {
      const share = readTerms(row, options)
      if (share === null) continue
      const files: SourceFile[] = []
      for (const { row: file, name } of listFiles(tables, text(row, 'id'))) {
        brought.add(text(file, 'id'))
        const found = await readFile(file, name, text(row, 'id'), options)
        if (found.content === null) unreadable.add(text(file, 'id'))
        files.push(found)
      }
      page.push({ ...share, files })
    }
    yield page
  }
  if (unreadable.size > 0) {
    losses.push(
      `${unreadable.size} files are not in ${options.filesPath} as they were sent, and are left out: they are encrypted (DISABLE_FILESYSTEM_ENCRYPTION=false), in S3, or gone`,
    )
  }
  const others = tables.count('files') - brought.size
  if (others > 0) losses.push(`${others} files are in no share that comes, and are left out`)
}

/** Null for one that would lose its password. */
function readTerms(row: Row, { tables, losses }: ReadSharesOptions): SourceShare | null {
  const shareId = text(row, 'id')
  const [alias] = tables.all('share_aliases', 'where "shareId" = ?', [shareId])
  const id = alias ? text(alias, 'alias') : shareId
  const [security] = tables.all('share_security', 'where "id" = ?', [text(row, 'securityId')])
  if (!security) {
    losses.push(`share ${id} is left out: its terms are gone`)
    return null
  }
  const passwordHash = textOrNull(security, 'password')
  if (passwordHash !== null && !isArgon2id(passwordHash)) {
    losses.push(
      `share ${id} is left out: its password has a bcrypt hash, which is not verified here`,
    )
    return null
  }
  const recipients = tables.all('share_recipients', 'where "shareId" = ? order by rowid', [shareId])
  return {
    ...bareShare,
    id,
    createdAt: date(row, 'createdAt') ?? new Date(0),
    name: textOrNull(row, 'name'),
    description: textOrNull(row, 'description'),
    expiresAt:
      textOrNull(row, 'expiration') === null ? null : (date(row, 'expiration') ?? new Date(0)),
    views: amount(row, 'views') ?? 0,
    maxViews: amount(security, 'maxViews') || null,
    passwordHash,
    creatorId: textOrNull(row, 'creatorId'),
    recipients: [...new Set(recipients.map((recipient) => text(recipient, 'email')))],
    files: [],
  }
}

interface NamedFile {
  row: Row
  /** With the folders that it is in. */
  name: string
}

function listFiles(tables: Tables, shareId: string): NamedFile[] {
  const listRelated = (table: string, relation: string) =>
    tables.columns.has(relation)
      ? tables.all(
          table,
          `where "id" in (select "A" from "${relation}" where "B" = ?) order by rowid`,
          [shareId],
        )
      : []
  return [
    ...listRelated('files', '_ShareFiles').map((row) => nameFile(row, '')),
    ...listRelated('folders', '_ShareFolders').flatMap((row) => listFolder(tables, row, '')),
  ]
}

function listFolder(tables: Tables, folder: Row, above: string): NamedFile[] {
  const id = text(folder, 'id')
  const path = `${above}${text(folder, 'name')}/`
  return [
    ...tables
      .all('files', 'where "folderId" = ? order by rowid', [id])
      .map((row) => nameFile(row, path)),
    ...tables
      .all('folders', 'where "parentId" = ? order by rowid', [id])
      .flatMap((child) => listFolder(tables, child, path)),
  ]
}

const nameFile = (row: Row, path: string): NamedFile => ({ row, name: path + text(row, 'name') })

/** A file that is encrypted is longer than its row says, and is not taken for what was sent. */
async function readFile(
  row: Row,
  name: string,
  shareId: string,
  { filesPath }: ReadSharesOptions,
): Promise<SourceFile> {
  // As their server makes a path of it.
  const path = text(row, 'objectName').replaceAll(/[^a-zA-Z0-9\-_./]/g, '_')
  const sizeBytes = amount(row, 'size') ?? 0
  const content = await readFileBelow(filesPath, path)
  return {
    // Addresses have none of theirs.
    id: deriveUuid('palmr', 'file', shareId, text(row, 'id'), name),
    createdAt: date(row, 'createdAt') ?? new Date(0),
    name,
    sizeBytes,
    content: content?.sizeBytes === sizeBytes ? content : null,
  }
}
