import { type FilePath, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Disk, StagedTrees, StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'

/** The base of a user without a home: nothing in the served root is called by a path of theirs. */
export const baseOfNoHome = ({ placeOf }: Pick<Base, 'placeOf'>): Base => ({ placeOf, pathOf: () => undefined })

/**
 * The own scope of a user without a home: an empty folder, which takes nothing. What the stores of the user's other places
 * need of the whole served root is there.
 */
export async function storeOfNoHome(storage: StorageDriver): Promise<StorageDriver> {
  const { sorted: _, scan: __, placeInRoot: ___, snapshots: ____, ...root } = await storage.within(ROOT, isTop)
  const { disk, trees, quota } = root
  const store: StorageDriver = {
    ...root,
    async stat(path) {
      const top = path === ROOT ? await root.stat(ROOT) : undefined
      return top && { ...top, modified: 0, version: NOTHING, identity: NOTHING }
    },
    async *list(folder) {
      if (folder !== ROOT) throw new AppError('not_found')
      yield []
    },
    read: missing,
    stage: refused,
    mkdir: refused,
    remove: refused,
    within: folder => (folder === ROOT ? storeOfNoHome(storage) : missing()),
    resumable: { stage: refused, resume: missing, discard: missing },
    ...(root.move && { move: refused }),
    ...(root.copy && { copy: refused }),
    ...(disk && { disk: diskOfNoHome(disk) }),
    ...(trees && { trees: treesOfNoHome(trees) }),
    ...(quota && { quota: { counts: async () => false, usage: async () => undefined, demand: async () => {} } }),
  }
  return store
}

const NOTHING = 'no-home'
const isTop = (path: FilePath) => path === ROOT

const refused = async (): Promise<never> => {
  throw new AppError('no_home')
}

const missing = async (): Promise<never> => {
  throw new AppError('not_found')
}

/** No program runs there, and nothing of the volume is known. */
function diskOfNoHome({ attributes: _, ...disk }: Disk): Disk {
  return {
    ...disk,
    usage: async () => ({ total: 0, used: 0 }),
    setMode: refused,
    setTime: refused,
    linkOver: refused,
    holdRoot: refused,
    batchReader: () => undefined,
    watch: async () => () => {},
  }
}

const treesOfNoHome = (trees: StagedTrees): StagedTrees => ({
  ...trees,
  reserve: refused,
  store: missing,
  publish: refused,
})
