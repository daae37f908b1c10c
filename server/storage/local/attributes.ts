import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Attributes } from '../driver.ts'
import { translating } from './errno.ts'
import type { Kernel } from './kernel/kernel.ts'
import { locate, type Scope } from './resolve-path.ts'

/** What file systems without extended attributes answer, and what holds more than fits. */
const WITHOUT = { ENOTSUP: 'unsupported', EOPNOTSUPP: 'unsupported', ERANGE: 'unsupported', E2BIG: 'no_space' } as const

/** See `Disk.attributes`. */
export function attributesIn(scope: Scope, kernel: Kernel): Attributes {
  const at = async <T>(path: FilePath, act: (descriptor: number) => T): Promise<T> => {
    const { handle, rest } = await locate(scope, path)
    try {
      if (rest.length > 0) throw new AppError('not_found')
      const { descriptor, stat } = handle
      if (!stat.isFile() && !stat.isDirectory()) throw new AppError('special_file')
      if (descriptor === undefined) throw new AppError('unsupported')
      return await translating(async () => act(descriptor), WITHOUT)
    } finally {
      handle.close()
    }
  }
  return {
    read: (path, name) => at(path, descriptor => kernel.attribute(descriptor, name)),
    write: (path, name, value) => at(path, descriptor => kernel.setAttribute(descriptor, name, value)),
  }
}
