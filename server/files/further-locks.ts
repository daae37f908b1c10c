import type { FilePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Changes } from './changes.ts'

/** Milliseconds to wait for a path below those that an operation holds. */
const PATIENCE = 10_000

/**
 * Runs `act` under the locks of further paths.
 * @throws unavailable when another operation holds one of them for long
 */
export type LockFurther = <T>(paths: readonly FilePath[], act: () => Promise<T>) => Promise<T>

/**
 * The further locks of an operation on trees. Another one may hold what it waits for and wait for what it holds, so no
 * wait is endless.
 * @param held the paths that the operation has locked itself
 */
export function furtherLocks(changes: Pick<Changes, 'withLock'>, held: readonly FilePath[]): LockFurther {
  const own = new Set(held)
  return (paths, act) => {
    const wanted = [...new Set(paths)].filter(path => !own.has(path)).sort()
    const enter = (index: number): ReturnType<typeof act> => {
      const path = wanted[index]
      if (path === undefined) return act()
      return withPatience(signal =>
        changes.withLock(
          path,
          async () => {
            own.add(path)
            return enter(index + 1).finally(() => own.delete(path))
          },
          signal,
        ),
      )
    }
    return enter(0)
  }
}

async function withPatience<T>(wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE)
  try {
    return await wait(signal)
  } catch (thrown) {
    if (thrown === signal.reason) throw new AppError('unavailable', 'another operation is changing it')
    throw thrown
  }
}
