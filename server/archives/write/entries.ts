import type { FilePath } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Entry, OpenFile, ReadFile } from '../../files/types.ts'
import type { WalkItem } from '../../files/walk.ts'
import { EntryNames } from '../names.ts'
import { inBatches } from './batch-read.ts'
import { type Problem, problemText } from './error-entry.ts'
import type { HeldFiles } from './open-files.ts'
import type { Selection } from './selection.ts'

/** An entry of an archive. */
export interface Member {
  /** `/`-separated and relative; a folder's ends with a slash. */
  name: string
  kind: 'file' | 'folder'
  /** Bytes; 0 for a folder. */
  size: number
  /** Milliseconds since the epoch. */
  modified: number
  /** POSIX permission bits. */
  mode: number
  /** The path of a stored file; absent for generated content. */
  path?: FilePath
  /** Version of a stored file's content; see `Entry.version`. */
  version?: string
  /** The `size` bytes, if they were read already; or a function that yields exactly as many, or throws. */
  content: Uint8Array | (() => AsyncIterable<Uint8Array>)
}

/** The content of a member, in chunks. */
export const contentOf = ({ content }: Member) => (content instanceof Uint8Array ? [content] : content())

/** Largest file, in bytes, that is read at once, as part of a batch. */
const SMALL = 256 * 1024
/** Bytes that an open descriptor counts for in the memory limit. */
const OPEN = 128 * 1024
const NOTHING = new Uint8Array()
/** Name of the file inside an archive that lists what is missing from it. */
const ERROR_FILE = '_errors'

/** An entry of the archive, or why it is missing; a file is open, or was read. */
interface Found {
  entry?: Entry
  file?: OpenFile
  read?: ReadFile
  problem?: Problem
}

export interface MembersOptions {
  signal?: AbortSignal | undefined
  /** Set where the content of members with a path is not requested. */
  unread?: true
  /** Takes ownership of files; their members then have no path, and are readable until they are closed. */
  held?: HeldFiles
}

/**
 * The members of an archive in walk order, in groups. Each file is opened or read before it is yielded, and is valid
 * until the next group is requested, so an unreadable file becomes a line of the error file instead of a broken
 * archive.
 * @throws any error once a member's content is being read
 */
export async function* membersOf(
  files: Files,
  selection: Selection,
  { signal, unread, held }: MembersOptions = {},
): AsyncGenerator<Member[]> {
  const names = new EntryNames(files, selection.base)
  const problems = [...selection.problems]
  const newest = Math.max(0, ...selection.roots.map(({ modified }) => modified))
  for await (const group of opened(files, everythingIn(files, selection, signal), { most: unread ? 0 : SMALL, held })) {
    const members: Member[] = []
    for (const { entry, file, read, problem } of group) {
      const it = read?.entry ?? file?.entry ?? entry
      if (problem) problems.push(problem)
      if (problem || !it) continue
      // Most names need no lookup, and a promise for each would be most of the garbage here.
      const name = names.plain(it.path) ?? (await names.of(it.path))
      if (read) members.push(fileMember(it, name, read.content))
      else if (file) members.push(openMember(it, name, file, held))
      else members.push(folderMember(it, name))
    }
    yield members
  }
  if (problems.length > 0) yield [errorFile(names.free(ERROR_FILE, '.txt'), problems, newest)]
}

async function* everythingIn(files: Files, { base, roots }: Selection, signal?: AbortSignal): AsyncGenerator<Found[]> {
  for (const root of roots) {
    if (root.path !== base) yield [{ entry: root }]
    if (root.kind !== 'folder') continue
    for await (const items of await files.walk(root.path, signal ? { signal } : {})) yield items.map(foundOn)
  }
}

function foundOn({ entry, skipped }: WalkItem): Found {
  return entry ? { entry } : { problem: { path: skipped.path, why: skipped.code } }
}

/** Opens entries; of many, small files are read in batches. @param how `most`: limit in bytes of such a file */
function opened(
  files: Files,
  source: AsyncIterable<Found[]>,
  { most, held }: { most: number; held: HeldFiles | undefined },
): AsyncGenerator<Found[]> {
  const isFit = (entry: Entry) => isPlain(entry) && (most === 0 || entry.size <= most)
  return inBatches(source, {
    alone: found => openIt(files, found),
    begin: files.batchReader,
    request: ({ entry }) =>
      entry && isFit(entry) ? { file: entry.path, bytes: Math.min(entry.size, most) } : undefined,
    // A file that changed its size since it was listed was read in part.
    take: ({ entry }, read) =>
      most > 0 && read.content.length !== read.entry.size ? undefined : { ...(entry && { entry }), read },
    room({ entry }) {
      if (entry?.kind !== 'file') return 0
      return isFit(entry) ? Math.min(entry.size, most) : OPEN
    },
    async leave({ file }) {
      if (file && !held?.has(file)) await file.close()
    },
  })
}

const isPlain = ({ kind, isLink, path, canonical }: Entry) => kind === 'file' && !isLink && path === canonical

async function openIt(files: Files, found: Found): Promise<Found> {
  const { entry } = found
  if (!entry) return found
  const { path, kind } = entry
  const why = whyLeftOut(entry)
  if (why) return { problem: { path, why } }
  if (kind === 'folder') return found
  try {
    return { entry, file: await files.open(path) }
  } catch (thrown) {
    const { code } = asAppError(thrown)
    if (code === 'internal') throw thrown
    return { problem: { path, why: code } }
  }
}

/** Links to folders could form cycles; the target is in the archive anyway if it lies below the same folder. */
function whyLeftOut({ kind, isLink, path, canonical }: Entry): Problem['why'] | undefined {
  if (kind === 'special') return 'special_file'
  if (kind === 'link') return 'outside_scope'
  return kind === 'folder' && isLink && path !== canonical ? 'folder_link' : undefined
}

function folderMember({ modified, mode }: Entry, name: string): Member {
  return { name: `${name}/`, kind: 'folder', size: 0, modified, mode: mode & 0o777, content: NOTHING }
}

function fileMember(entry: Entry, name: string, content: Member['content']): Member {
  const { path, size, modified, mode, version } = entry
  return { name, kind: 'file', size, modified, mode: mode & 0o777, path, version, content }
}

function openMember(entry: Entry, name: string, file: OpenFile, held: HeldFiles | undefined): Member {
  const member = fileMember(entry, name, () => bytesIn(file, entry.size))
  if (!held?.take(file)) return member
  const { path: _, ...rest } = member
  return rest
}

/** A member for the record: a stored file is opened again when its content is requested, if it has any. */
export function reopened(files: Files, { name, kind, size, modified, mode, path, content }: Member): Member {
  const noted = { name, kind, size, modified, mode }
  if (path === undefined) return { ...noted, content }
  return { ...noted, path, content: size === 0 ? NOTHING : () => prefixOf(files, path, size) }
}

/** As many bytes as were announced: bytes appended since are left out. */
async function* prefixOf(files: Files, path: FilePath, size: number): AsyncGenerator<Uint8Array> {
  const file = await files.open(path).catch(vanished)
  try {
    if (file.entry.size < size) throw new AppError('unavailable', 'a file was truncated in the meantime')
    yield* bytesIn(file, size)
  } finally {
    await file.close()
  }
}

/** The first bytes of a file; small ones in one chunk, without a stream. */
async function* bytesIn(file: OpenFile, size: number): AsyncGenerator<Uint8Array> {
  if (size === 0) return
  if (size > SMALL || !file.read) return yield* file.stream({ start: 0, end: size - 1 })
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let count = 0; count < size; ) count += await file.read(bytes.subarray(count), count)
  yield bytes
}

/** Reads small files ahead, in batches. @param members recorded earlier */
export function readAhead(files: Files, members: readonly Member[]): AsyncGenerator<Member[]> {
  const isRead = ({ size, content }: Member) => !(content instanceof Uint8Array) && size <= SMALL
  return inBatches(inOne(members), {
    alone: async member => (isRead(member) ? withContent(member, await readWhole(member)) : member),
    begin: () =>
      members.some(member => member.path !== undefined && isRead(member)) ? files.batchReader() : undefined,
    request: member =>
      member.path !== undefined && isRead(member) ? { file: member.path, bytes: member.size } : undefined,
    take: (member, { content }) => withContent(member, content),
    room: member => (isRead(member) ? member.size : 0),
    leave: async () => {},
  })
}

const withContent = (member: Member, content: Uint8Array): Member => ({ ...member, content })

const readWhole = async (member: Member) => Buffer.concat(await Array.fromAsync(contentOf(member)))

async function* inOne<T>(items: T): AsyncGenerator<T> {
  yield items
}

/** A file that was counted in the announced length cannot be left out any more. @throws unavailable */
function vanished(thrown: unknown): never {
  throw asAppError(thrown).code === 'not_found'
    ? new AppError('unavailable', 'a file vanished in the meantime')
    : thrown
}

/** Its time is that of the selection, so that repeated requests produce the same archive. */
function errorFile(name: string, problems: readonly Problem[], modified: number): Member {
  const content = Buffer.from(problemText(problems))
  return { name, kind: 'file', size: content.length, modified, mode: 0o640, content }
}
