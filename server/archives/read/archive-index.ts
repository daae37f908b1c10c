import { type FilePath, nameOf, parentOf, ROOT, segmentsOf } from '../../../shared/path.ts'
import type { OpenFile } from '../../files/types.ts'
import { REQUEST_SEMAPHORE } from '../codecs/codec-threads.ts'
import { MAX_LISTED_DEPTH, READ_LIMITS, type ReadLimits } from '../read-limits.ts'
import type { MemberFacts } from './members.ts'
import { placeOf } from './names.ts'
import { openArchive } from './open-archive.ts'

/** An entry in a folder of an archive. */
export interface IndexEntry extends Omit<MemberFacts, 'name' | 'number'> {
  /** Number of the member; `undefined` for an implicit folder. */
  number: number | undefined
  /** Last name of its path. */
  name: string
}

/** The content of an archive, folder by folder. */
export interface ArchiveIndex {
  folders: ReadonlyMap<FilePath, ReadonlyMap<string, IndexEntry>>
  /** Number of listed entries. */
  size: number
  /** Number of members that are not listed, because their names lead out of any folder, or through too many. */
  unnamed: number
  /** Whether there is, or may be, more than what is listed. */
  more: boolean
}

/**
 * Lists an archive. A truncated one is listed up to that point.
 * @throws undecodable when nothing can be read, unsupported
 */
export async function indexArchive(
  file: OpenFile,
  signal: AbortSignal,
  limits: ReadLimits = READ_LIMITS,
): Promise<ArchiveIndex> {
  const index = new Index()
  const late = AbortSignal.timeout(limits.time)
  const archive = await openArchive(file, REQUEST_SEMAPHORE)
  let unpacked = 0
  try {
    for await (const member of archive.members(AbortSignal.any([signal, late]))) {
      if (archive.isPacked) unpacked += member.size
      if (index.size >= limits.members || unpacked > limits.unpacked) return index.end(true)
      index.add(member)
    }
  } catch (thrown) {
    if (signal.aborted || (index.size === 0 && !late.aborted)) throw thrown
    return index.end(true)
  }
  return index.end(false)
}

class Index {
  readonly #folders = new Map<FilePath, Map<string, IndexEntry>>([[ROOT, new Map()]])
  #unnamed = 0
  size = 0

  /** Of two members of one path the later takes precedence, as in an extraction. */
  add({ number, name, kind, size, modified, mode, encrypted }: MemberFacts): void {
    this.size += 1
    const place = placeOf(name)
    if (place === ROOT) return
    if (place === undefined || segmentsOf(place).length > MAX_LISTED_DEPTH) {
      this.#unnamed += 1
      return
    }
    if (kind === 'folder') this.#folder(place)
    const entry = { number, name: nameOf(place), kind, size, modified, mode, encrypted }
    this.#folder(parentOf(place)).set(entry.name, entry)
  }

  end(more: boolean): ArchiveIndex {
    return { folders: this.#folders, size: this.size, unnamed: this.#unnamed, more }
  }

  /** The content of a folder; an implicit one is made, with its ancestors. */
  #folder(place: FilePath): Map<string, IndexEntry> {
    const known = this.#folders.get(place)
    if (known) return known
    const items = new Map<string, IndexEntry>()
    this.#folders.set(place, items)
    const siblings = this.#folder(parentOf(place))
    if (!siblings.has(nameOf(place))) {
      this.size += 1
      siblings.set(nameOf(place), impliedFolder(nameOf(place)))
    }
    return items
  }
}

const impliedFolder = (name: string): IndexEntry => ({
  number: undefined,
  name,
  kind: 'folder',
  size: 0,
  modified: undefined,
  mode: undefined,
  encrypted: false,
})
