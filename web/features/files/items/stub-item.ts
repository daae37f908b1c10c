import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { extensionOf, type FilePath, nameOf } from '../../../../shared/path.ts'

/** A listing entry of which only the path is known. */
export function stubItem(path: FilePath, isDir: boolean): ResourceItem {
  const name = nameOf(path)
  const extension = isDir ? '' : extensionOf(name)
  return { path, name, size: 0, extension, modified: '', mode: 0, isDir, isSymlink: false, type: isDir ? '' : 'blob' }
}

/** Whether only its path is known. */
export function isStub({ modified }: { modified: number | string }): boolean {
  return modified === ''
}
