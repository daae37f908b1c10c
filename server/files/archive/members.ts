import type { FilePath } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Files } from '../files.ts'
import type { Entry, OpenFile } from '../types.ts'
import { ahead } from './ahead.ts'
import { EntryNames } from './names.ts'
import { type Problem, problemText } from './problems.ts'
import type { Selection } from './selection.ts'

/** One thing in an archive. */
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
  /** Where a stored file is; absent for what is made up. */
  path?: FilePath
  /** Tells one content of a stored file from another; see `Entry.version`. */
  version?: string
  /** Exactly `size` bytes, or an error. */
  content(): AsyncIterable<Uint8Array>
}

/** Bytes of a file that is read at once. */
const SMALL = 256 * 1024
/** Name of the file inside an archive that lists what is missing from it. */
const ERROR_FILE = '_errors'

/** Something that is to be in an archive, or why it is not; a file is open. */
interface Found {
  entry?: Entry
  file?: OpenFile
  problem?: Problem
}

/**
 * The members of an archive in the order of the walk. Each file is opened before it is handed out and closed when the
 * next member is asked for, so what cannot be read becomes a line of the error file instead of a broken archive.
 * @throws whatever goes wrong once a member's content is under way
 */
export async function* membersOf(files: Files, selection: Selection, signal?: AbortSignal): AsyncGenerator<Member> {
  const names = new EntryNames(files, selection.base)
  const problems = [...selection.problems]
  const newest = Math.max(0, ...selection.roots.map(({ modified }) => modified))
  const open = (found: Found) => openIt(files, found)
  for await (const found of ahead(everythingIn(files, selection, signal), open, close)) {
    const { entry, file, problem } = found
    try {
      if (problem) problems.push(problem)
      else if (file) yield fileMember(file, await names.of(file.entry.path))
      else if (entry) yield folderMember(entry, await names.of(entry.path))
    } finally {
      await close(found)
    }
  }
  if (problems.length > 0) yield errorFile(names.free(ERROR_FILE, '.txt'), problems, newest)
}

async function* everythingIn(files: Files, { base, roots }: Selection, signal?: AbortSignal): AsyncGenerator<Found> {
  for (const root of roots) {
    if (root.path !== base) yield { entry: root }
    if (root.kind !== 'folder') continue
    for await (const { entry, skipped } of await files.walk(root.path, signal ? { signal } : {})) {
      yield entry ? { entry } : { problem: { path: skipped.path, why: skipped.code } }
    }
  }
}

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

const close = async ({ file }: Found) => file?.close()

/** Links to folders could lead in circles; the folder itself is in the archive if it lies below the same place. */
function whyLeftOut({ kind, isLink, path, canonical }: Entry): Problem['why'] | undefined {
  if (kind === 'special') return 'special_file'
  if (kind === 'link') return 'outside_scope'
  return kind === 'folder' && isLink && path !== canonical ? 'folder_link' : undefined
}

function folderMember({ modified, mode }: Entry, name: string): Member {
  return { name: `${name}/`, kind: 'folder', size: 0, modified, mode: mode & 0o777, content: noContent }
}

function fileMember(file: OpenFile, name: string): Member {
  const { path, size, modified, mode, version } = file.entry
  const content = () => contentOf(file, size)
  return { name, kind: 'file', size, modified, mode: mode & 0o777, path, version, content }
}

/** A member noted earlier, opened again when its content is wanted. */
export function reopened(files: Files, path: FilePath, member: Member): Member {
  return { ...member, content: () => prefixOf(files, path, member.size) }
}

/** As many bytes as were announced: what was appended since is left out. */
async function* prefixOf(files: Files, path: FilePath, size: number): AsyncGenerator<Uint8Array> {
  const file = await files.open(path).catch(vanished)
  try {
    if (file.entry.size < size) throw new AppError('unavailable', 'a file became shorter meanwhile')
    yield* contentOf(file, size)
  } finally {
    await file.close()
  }
}

/** The first bytes of a file; small ones in one piece, without a stream for it. */
async function* contentOf(file: OpenFile, size: number): AsyncGenerator<Uint8Array> {
  if (size === 0) return
  if (size > SMALL || !file.read) return yield* file.stream({ start: 0, end: size - 1 })
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let count = 0; count < size; ) count += await file.read(bytes.subarray(count), count)
  yield bytes
}

/** Reads small files before it is their turn. @param members noted earlier */
export function readAhead(members: readonly Member[]): AsyncGenerator<Member> {
  return ahead(eachOf(members), async member => {
    if (member.size === 0 || member.size > SMALL) return member
    const pieces = await Array.fromAsync(member.content())
    return { ...member, content: () => eachOf(pieces) }
  })
}

async function* eachOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

/** What was there when the length was announced cannot be left out any more. @throws unavailable */
function vanished(thrown: unknown): never {
  throw asAppError(thrown).code === 'not_found' ? new AppError('unavailable', 'a file vanished meanwhile') : thrown
}

/** Its time is that of what was asked for, so that the same archive comes out when it is asked for again. */
function errorFile(name: string, problems: readonly Problem[], modified: number): Member {
  const text = Buffer.from(problemText(problems))
  const content = async function* () {
    yield text
  }
  return { name, kind: 'file', size: text.length, modified, mode: 0o640, content }
}

async function* noContent(): AsyncGenerator<Uint8Array> {}
