import { createHash } from 'node:crypto'
import { AppError } from '../../../errors.ts'
import type { StorageDriver } from '../../driver.ts'
import type { SnapshotsIn } from '../../snapshots.ts'
import { translating } from '../errno.ts'
import { hold } from '../handle.ts'
import { nativePath } from '../native-path.ts'
import { pathInside, type Scope } from '../resolve-path.ts'
import { type FoundSnapshot, findSnapshots } from './find.ts'

/** Milliseconds for which the snapshots of a folder are cached. */
const CACHED_FOR = 5000

/** Snapshots of the served root by its file system, as far as they contain the root of a scope. */
export function snapshotsIn(
  scope: Scope,
  patterns: readonly string[],
  driverOf: (scope: Scope) => StorageDriver,
): SnapshotsIn<StorageDriver> {
  return {
    async list() {
      return (await cachedSnapshots(scope.opened, patterns)).map(({ image: _, ...snapshot }) => snapshot)
    },
    open: (id, guard) =>
      translating(async () => {
        const found = (await cachedSnapshots(scope.opened, patterns)).find(snapshot => snapshot.id === id)
        const inside = pathInside(scope.opened, scope.root)
        if (!found || inside === undefined) throw new AppError('not_found')
        const root = inside === '/' ? found.image : `${found.image}${inside}`
        const handle = await hold(scope.level, nativePath(root))
        handle.close()
        // A link on the way would lead out of the snapshot.
        if (handle.real !== root || !handle.stat.isDirectory()) throw new AppError('not_found')
        return driverOf({
          ...scope,
          root,
          opened: root,
          followsOut: false,
          proxied: undefined,
          snapshots: undefined,
          guard,
        })
      }),
  }
}

/** Users see no path of the host. */
const withPublicId = (found: FoundSnapshot): FoundSnapshot => ({
  ...found,
  id: createHash('sha256').update(found.id).digest('hex').slice(0, 32),
})

const cache = new Map<string, { at: number; found: Promise<FoundSnapshot[]> }>()

function cachedSnapshots(folder: string, patterns: readonly string[]): Promise<FoundSnapshot[]> {
  const key = [folder, ...patterns].join('\0')
  const known = cache.get(key)
  if (known && performance.now() - known.at < CACHED_FOR) return known.found
  const found = findSnapshots(folder, patterns).then(all => all.map(withPublicId))
  cache.set(key, { at: performance.now(), found })
  return found
}
