import type { ResourceItem } from '../../../shared/api/resources.ts'
import type { FilePath } from '../../../shared/path.ts'
import { apiUrl } from '../../lib/api.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { saveFrom } from '../files/api/download.ts'
import { publicPath } from './api/addresses.ts'
import type { Link } from './link.ts'

/**
 * Downloads what is selected in a shared folder: a single file at once, folders and several things as an archive of
 * one's choice (specification section 2). Without items it is the whole folder.
 */
export function download(
  { hash, ticket }: Link,
  folder: { path: FilePath; name: string },
  items: readonly ResourceItem[],
): void {
  const [item, ...others] = items
  if (item && others.length === 0 && !item.isDir) {
    saveFrom(apiUrl(publicPath('dl', hash, item.path, { token: ticket })), item.name)
  } else {
    const shared = { call: publicPath('dl', hash, ''), token: ticket, name: folder.name }
    openPrompt('download', { folder: folder.path, items, shared })
  }
}
