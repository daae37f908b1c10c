import { byteLength } from '../../../shared/bytes.ts'
import { type FilePath, PathError, parsePath, ROOT } from '../../../shared/path.ts'
import { MAX_MEMBER_NAME } from '../read-limits.ts'

/**
 * The path of a member's name below the extraction folder. Empty parts and `.` are dropped, as every reader does;
 * `undefined` for a name that leads elsewhere or that no folder can contain: absolute, with `..`, with NUL, too long.
 */
export function placeOf(name: string): FilePath | undefined {
  if (name.startsWith('/') || byteLength(name) > MAX_MEMBER_NAME) return undefined
  const parts = name.split('/').filter(part => part !== '' && part !== '.')
  if (parts.length === 0) return ROOT
  try {
    return parsePath(`/${parts.join('/')}`)
  } catch (thrown) {
    if (thrown instanceof PathError) return undefined
    throw thrown
  }
}
