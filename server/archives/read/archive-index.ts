import { type FilePath, nameOf, parentOf, ROOT, segmentsOf } from '../../../shared/path.ts'
import type { OpenFile } from '../../files/types.ts'
import { READER_DECODERS } from '../codecs/decoder-limits.ts'
import { MAX_LISTED_DEPTH, READ_LIMITS, type ReadLimits } from '../read-limits.ts'
import type { MemberFacts } from './members.ts'
import { placeOf } from './names.ts'
import { openArchive } from './open.ts'

/** One thing in a folder of an archive. */
export interface IndexEntry extends Omit<MemberFacts, 'name' | 'number'> {
  /** Number of the member; nothing for a folder that is only known by what is in it. */
  number: number | undefined
  /** Last part of its place. */
  name: string
}

/** What is in an archive, folder by folder. */
export interface ArchiveIndex {
  folders: ReadonlyMap<FilePath, ReadonlyMap<string, IndexEntry>>
  /** Things that are listed. */
  size: number
  /** Members that are not, because their names lead out of any folder, or through too many. */
  unnamed: number
  /** Whether there is, or may be, more than what is listed. */
  more: boolean
}

/**
 * Lists an archive. One that breaks off is listed up to there.
 * @throws undecodable when nothing can be read of it, unsupported
 */
export async function indexArchive(
  file: OpenFile,
  signal: AbortSignal,
  limits: ReadLimits = READ_LIMITS,
): Promise<ArchiveIndex> {
  const index = new Index()
  const late = AbortSignal.timeout(limits.time)
  const archive = await openArchive(file, READER_DECODERS)
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

  /** Of two members at one place the later counts, as when everything is unpacked. */
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

  /** What is in a folder; one that is not told by itself is made, with those above it. */
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
