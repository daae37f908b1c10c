import { type FilePath, nameOf } from '../../shared/path.ts'
import type {
  Entry,
  KeepReplaced,
  NamesMet,
  OpenFile,
  PublishOptions,
  RemoveOptions,
  ResumableFile,
  SortedFolder,
  StagedFile,
} from '../storage/driver.ts'

/** How paths of a store are called by its user. */
export interface PathNames {
  /** The path in the store. @throws unsupported for one that is not in it */
  inner(path: FilePath): FilePath
  outer(inner: FilePath): FilePath
  /** Begins the versions and identities that the user knows: those of two roots may be the same. */
  mark: string
  /** What keeps a replaced file, as the store calls it. */
  keeping(keep: KeepReplaced): KeepReplaced
}

/** A condition of the user, as the store knows it. */
export function conditionIn<How extends { ifMatch?: string | undefined }>({ mark }: PathNames, how: How): How {
  const { ifMatch } = how
  return ifMatch?.startsWith(mark) ? { ...how, ifMatch: ifMatch.slice(mark.length) } : how
}

/** What a user removes, as the store knows it. */
export function removal({ mark }: PathNames, how: RemoveOptions): RemoveOptions {
  if (!how.exactly || mark === '') return how
  const { identity, size, modified } = how.exactly
  return { ...how, exactly: { identity: identity.slice(mark.length), size, modified } }
}

/** An entry under the path by which the user knows it. The marks of a listed child may be lazy, and stay so. */
export function entryAs({ outer, mark }: PathNames, entry: Entry): Entry {
  const path = outer(entry.path)
  const { kind, isLink, size, modified, mode } = entry
  return {
    ...{ name: nameOf(path), path, canonical: outer(entry.canonical), kind, isLink, size, modified, mode },
    get version() {
      return mark + entry.version
    },
    get identity() {
      return mark + entry.identity
    },
  }
}

/** An open file whose entry has the path by which the user knows it. */
export const openedAs = (names: PathNames, file: OpenFile): OpenFile => ({
  entry: entryAs(names, file.entry),
  stream: range => file.stream(range),
  close: () => file.close(),
  ...(file.read && { read: file.read.bind(file) }),
  ...(file.passTo && { passTo: file.passTo.bind(file) }),
  ...(file.descriptor !== undefined && { descriptor: file.descriptor }),
  ...(file.address && { address: file.address.bind(file) }),
  ...(file.place !== undefined && { place: file.place }),
})

/** A staged file that is published under a path of the user. */
export const stagedAs = (names: PathNames, staged: StagedFile): StagedFile => ({
  get size() {
    return staged.size
  },
  append: chunk => staged.append(chunk),
  async publish(file, how) {
    const { madeFolder, ...published } = await staged.publish(names.inner(file), publication(names, how))
    if (madeFolder === undefined) return entryAs(names, published)
    return Object.assign(entryAs(names, published), {
      madeFolder: madeFolder === 'none' ? madeFolder : names.outer(madeFolder),
    })
  },
  ...(staged.share && { share: staged.share.bind(staged) }),
  close: () => staged.close(),
})

/** How a file of the user is published in the store. */
export function publication<How extends Pick<PublishOptions, 'ifMatch' | 'keep'>>(names: PathNames, how: How): How {
  const { keep } = how
  return conditionIn(names, keep ? { ...how, keep: names.keeping(keep) } : how)
}

/** The same for one that can be resumed. @param name by which it is found again */
export const resumableAs = (names: PathNames, staged: ResumableFile, name: string): ResumableFile => ({
  ...stagedAs(names, staged),
  name,
  get size() {
    return staged.size
  },
  get durable() {
    return staged.durable
  },
  flush: () => staged.flush(),
  truncate: size => staged.truncate(size),
  read: () => staged.read(),
})

export async function* entriesAs(names: PathNames, batches: AsyncIterable<Entry[]>): AsyncGenerator<Entry[]> {
  for await (const batch of batches) yield batch.map(entry => entryAs(names, entry))
}

export const sortedAs = (names: PathNames, sorted: SortedFolder): SortedFolder => ({
  folder: entryAs(names, sorted.folder),
  counted: sorted.counted,
  heads: headsAs(names, sorted.heads),
  entries: entriesAs(names, sorted.entries),
  close: () => sorted.close(),
})

function* headsAs(
  { outer }: PathNames,
  heads: SortedFolder['heads'],
): Generator<SortedFolder['heads'] extends Iterable<infer Slice> ? Slice : never> {
  for (const slice of heads)
    yield slice.map(({ name, path, canonical, kind }) => ({
      name,
      path: outer(path),
      canonical: outer(canonical),
      kind,
    }))
}

/** Found names of a store, under the paths of the user. */
export async function* foundAs({ outer }: PathNames, found: AsyncIterable<NamesMet>): AsyncGenerator<NamesMet> {
  for await (const { met, entries } of found) {
    const seen = entries.map(entry => ({ ...entry, path: outer(entry.path), canonical: outer(entry.canonical) }))
    yield { met, entries: seen }
  }
}
