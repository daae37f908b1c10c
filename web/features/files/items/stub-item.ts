import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { extensionOf, type FilePath, nameOf } from '../../../../shared/path.ts'

/** Something of which only the path is known, as an entry of a listing. */
export function bareItem(path: FilePath, isDir: boolean): ResourceItem {
  const name = nameOf(path)
  const extension = isDir ? '' : extensionOf(name)
  return { path, name, size: 0, extension, modified: '', mode: 0, isDir, isSymlink: false, type: isDir ? '' : 'blob' }
}

/** Whether nothing but its path is known. */
export function isBare({ modified }: { modified: number | string }): boolean {
  return modified === ''
}
