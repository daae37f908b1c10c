import type { ResourceItem } from '../../../shared/api/resources.ts'
import type { FilePath } from '../../../shared/path.ts'
import { apiUrl } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { ARCHIVE_FORMATS, type ArchiveFormat, archiveUrl } from '../files/api/archive.ts'
import { saveFrom } from '../files/api/download.ts'
import { publicPath } from './api/addresses.ts'
import type { Link } from './link.ts'

const [ZIP, ...OTHERS] = ARCHIVE_FORMATS

/** Whether a single file is downloaded, without an archive. */
export function isSingleFile([item, ...others]: readonly ResourceItem[]): boolean {
  return item !== undefined && others.length === 0 && !item.isDir
}

/**
 * Downloads the selection in a shared folder: a single file as it is, folders and several items as an archive. Without
 * items it is the whole folder.
 */
export function download(
  { hash, ticket }: Link,
  folder: FilePath,
  items: readonly ResourceItem[],
  format: ArchiveFormat = ZIP,
): void {
  const [item] = items
  if (item && isSingleFile(items)) {
    saveFrom(apiUrl(publicPath('dl', hash, item.path, { token: ticket })), item.name)
    return
  }
  const names = items.map(({ name }) => name)
  const url = archiveUrl(folder, names, format, { call: publicPath('dl', hash, ''), token: ticket })
  if (url === undefined) notify('error', t('download.tooMany'))
  else saveFrom(url, '')
}

/** The archive formats besides the default, as menu entries. */
export function otherFormats(link: Link, folder: FilePath, items: readonly ResourceItem[]): MenuEntry[] {
  return OTHERS.map(format => ({
    id: format.name,
    label: format.name,
    run: () => download(link, folder, items, format),
  }))
}
