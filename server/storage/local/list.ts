import { join } from 'node:path'
import type { FilePath } from '../../../shared/path.ts'
import type { Sorting } from '../../../shared/sorting.ts'
import { AppError } from '../../errors.ts'
import type { Entry, Head, SortedFolder } from '../driver.ts'
import { isHiddenName } from './desktop-can.ts'
import { type Batch, type Census, toEntries, toHeads, type Wanted } from './entry-batches.ts'
import { translated } from './errno.ts'
import { readFolder } from './folder-reader.ts'
import { type Confinement, type Handle, hold } from './handle.ts'
import { answersAtOnce, mountsIn } from './mounts.ts'
import { nativePath } from './native-path.ts'
import { readAgain, remember } from './remembered-folders.ts'
import { isOurs, locateFolder, type Place, type Scope } from './resolve-path.ts'
import { entryOf, isLinkAt } from './stat.ts'

/** Milliseconds in which a mount point must respond, or is left out. */
const SOON = 2000

/** The children of a folder; see the driver contract. */
export async function* listFolder(scope: Scope, path: FilePath): AsyncGenerator<Entry[]> {
  for await (const { slices } of batchesOf(scope, path))
    for (const entries of slices) if (entries.length > 0) yield entries
}

/** The children of a folder in an order; see the driver contract. */
export async function sortFolder(scope: Scope, path: FilePath, sorting: Sorting, each: boolean): Promise<SortedFolder> {
  const batches = batchesOf(scope, path, { sorting, each: each || scope.guard !== undefined })
  const first = await batches.next()
  if (first.done) throw new AppError('not_found')
  const close = async () => void (await batches.return(undefined))
  try {
    const { handle, canonical, census, slices } = first.value
    const folder = entryOf(path, canonical, handle, await isLinkAt(scope, path, canonical))
    return { folder, ...census, entries: entriesOf(slices, batches), close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

async function* entriesOf(first: Listed['slices'], others: AsyncIterable<Listed>): AsyncGenerator<Entry[]> {
  yield Array.from(first).flat()
  for await (const { slices } of others) yield Array.from(slices).flat()
}

interface Listed extends Pick<Place, 'handle' | 'canonical'> {
  slices: Iterable<Entry[]>
  census: Census<Iterable<Head[]>>
}

async function* batchesOf(scope: Scope, path: FilePath, wanted?: Wanted): AsyncGenerator<Listed, undefined> {
  if (isOurs(scope, path)) throw new AppError('not_found')
  const { handle, canonical } = await locateFolder(scope, path)
  try {
    for await (const { columns, census } of readHeld(scope, handle, wanted)) {
      yield {
        handle,
        canonical,
        slices: thatMayBeSeen(scope, handle.real, toEntries(columns, path, canonical)),
        census: census
          ? { ...census, heads: thatMayBeSeen(scope, handle.real, toHeads(census.heads, path, canonical)) }
          : { heads: [], counted: { folders: 0, others: 0 } },
      }
    }
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    handle.close()
  }
}

async function* readHeld(scope: Scope, handle: Handle, wanted?: Wanted): AsyncGenerator<Batch> {
  const { root, level, followsOut, kernel } = scope
  const { at, real, stat } = handle
  const descriptor = kernel && handle.descriptor
  const mounts = mountsIn(real)
  const isQuick = mounts.length === 0 && answersAtOnce(real)
  const again = wanted && kernel && isQuick && descriptor !== undefined && readAgain(kernel, descriptor, stat, wanted)
  if (again) return yield again
  const silent = await silentAmong(level, real, mounts)
  let isFirst = true
  for await (const batch of readFolder({ at, descriptor, root, level, followsOut, silent }, wanted)) {
    if (isFirst && wanted && isQuick) remember(batch, stat, wanted)
    isFirst = false
    yield batch
  }
}

function* thatMayBeSeen<T extends Head>(scope: Scope, folder: string, slices: Iterable<T[]>): Generator<T[]> {
  for (const slice of slices) yield slice.filter(head => mayBeSeen(scope, folder, head))
}

/** Whether `stat` would find the child and its guard accept it. */
function mayBeSeen({ guard, stagingKey }: Scope, folder: string, { canonical, name }: Head): boolean {
  if (guard && !guard(canonical)) return false
  return !isHiddenName(stagingKey, folder, name)
}

/**
 * Paths of mount points below a folder whose disks do not respond. A worker that reads the folder would block on them,
 * and keep other requests waiting.
 */
export async function silentAmong(level: Confinement, folder: string, names: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(names.map(name => answersSoon(level, join(folder, name))))
  return names.filter((_, index) => !answers[index])
}

function answersSoon(level: Confinement, real: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const late = setTimeout(() => resolve(false), SOON)
  void hold(level, nativePath(real))
    .then(handle => handle.close())
    .then(
      () => resolve(true),
      () => resolve(false),
    )
    .finally(() => clearTimeout(late))
  return promise
}
