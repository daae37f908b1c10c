import { lstat, rename } from 'node:fs/promises'
import { isWithin } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { Entry } from '../../driver.ts'
import type { Instead } from '../../kept.ts'
import { errnoOf } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle } from '../handle.ts'
import { checkTree } from '../remove.ts'
import { directly, type Spot } from '../rename.ts'
import { type Item, locateItem, type Scope } from '../resolve-path.ts'
import { holdTree } from '../staged-folders.ts'
import { identityOf } from '../stat-fields.ts'

/** A folder that is kept, and the name that it gets in the area. */
interface Aside {
  files: Handle
  name: string
  was: Entry
}

/** Errors of file systems that exchange no names, or not these. */
const CANNOT_EXCHANGE = new Set(['EINVAL', 'ENOSYS', 'EXDEV', 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP'])

/**
 * Keeps a folder while another one takes its name by an exchange of the two. After a kill, recovery
 * recognizes by its identity what has the name in the area.
 * @throws unsupported, before anything changed
 */
export async function exchangeAside(scope: Scope, item: Item, aside: Aside, instead: Instead): Promise<void> {
  if ('staged' in instead) await byStaged(scope, item, aside, instead.staged)
  else await byMoved(scope, item, aside, instead.from)
}

/** The new folder waits in the area, which no user sees, and a kill leaves nothing but a copy. */
async function byStaged(scope: Scope, item: Item, { files, name, was }: Aside, staged: string): Promise<void> {
  const held = await holdTree(scope, staged)
  held.tree.close()
  const kept = { folder: files, name }
  try {
    await renameTo(held.item, kept)
    try {
      await exchange(scope, kept, item, was)
    } catch (thrown) {
      await renameTo(kept, held.item)
      throw thrown
    }
    scope.unfinished.end(held.item.name)
  } finally {
    held.item.folder.close()
  }
}

/** Both have a path at every instant: between the two calls the old folder has that of the moved one. */
async function byMoved(
  scope: Scope,
  item: Item,
  { files, name, was }: Aside,
  from: Parameters<typeof locateItem>[1],
): Promise<void> {
  const source = await locateItem(scope, from)
  try {
    if (isWithin(item.canonical, source.canonical) || isWithin(source.canonical, item.canonical))
      throw new AppError('bad_request', 'a folder cannot be moved into itself')
    if (!(await lstat(below(source.folder, source.name))).isDirectory()) throw new AppError('unsupported')
    await checkTree(scope, source)
    await checkTree(scope, source, item.canonical)
    await exchange(scope, source, item, was)
    try {
      await renameTo(source, { folder: files, name })
    } catch (thrown) {
      await exchange(scope, source, item)
      throw thrown
    }
    await syncFolder(source.folder)
  } finally {
    source.folder.close()
  }
}

/**
 * Exchanges two folders; one that another program has put at the second name is given it back.
 * @param was what must be at the second name
 */
async function exchange(scope: Scope, one: Spot, other: Spot, was?: Entry): Promise<void> {
  const names = directly(scope, one, other)
  if (!names) throw new AppError('unsupported')
  const act = () => names.kernel.exchange(names.from, names.to)
  orUnsupported(act)
  if (!was || identityOf(await lstat(below(one.folder, one.name), { bigint: true })) === was.identity) return
  act()
  throw new AppError('not_found')
}

async function renameTo(one: Spot, other: Spot): Promise<void> {
  await rename(below(one.folder, one.name), below(other.folder, other.name)).catch(thrown => {
    throw CANNOT_EXCHANGE.has(errnoOf(thrown)) ? new AppError('unsupported') : thrown
  })
}

function orUnsupported(act: () => void): void {
  try {
    act()
  } catch (thrown) {
    throw CANNOT_EXCHANGE.has(errnoOf(thrown)) ? new AppError('unsupported') : thrown
  }
}
