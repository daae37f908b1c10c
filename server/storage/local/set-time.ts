import { utimes } from 'node:fs/promises'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { translated } from './errno.ts'
import { nativePath } from './native-path.ts'
import { locate, type Scope } from './resolve-path.ts'
import { timeOf } from './stat-fields.ts'

/** Sets the modification time; see the driver contract. */
export async function setTime(scope: Scope, path: FilePath, modified: number): Promise<void> {
  const { handle, rest } = await locate(scope, path)
  try {
    if (rest.length > 0) throw new AppError('not_found')
    if (!handle.stat.isFile() && !handle.stat.isDirectory()) throw new AppError('special_file')
    await utimes(nativePath(handle.at), Date.now() / 1000, timeOf(modified))
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    handle.close()
  }
}
