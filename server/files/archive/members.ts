import type { FilePath } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Files } from '../files.ts'
import type { Entry, OpenFile } from '../types.ts'
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

/** Name of the file inside an archive that lists what is missing from it. */
const ERROR_FILE = '_errors'

/**
 * The members of an archive in the order of the walk. Each file is opened before it is handed out and closed when the
 * next member is asked for, so what cannot be read becomes a line of the error file instead of a broken archive.
 * @throws whatever goes wrong once a member's content is under way
 */
export async function* membersOf(files: Files, selection: Selection, signal?: AbortSignal): AsyncGenerator<Member> {
  const names = new EntryNames(files, selection.base)
  const problems = [...selection.problems]
  let newest = 0
  for (const root of selection.roots) {
    newest = Math.max(newest, root.modified)
    if (root.path !== selection.base) yield* memberOf(files, root, names, problems)
    if (root.kind !== 'folder') continue
    for await (const { entry, skipped } of await files.walk(root.path, signal ? { signal } : {})) {
      if (entry) yield* memberOf(files, entry, names, problems)
      else problems.push({ path: skipped.path, why: skipped.code })
    }
  }
  if (problems.length > 0) yield errorFile(names.free(ERROR_FILE, '.txt'), problems, newest)
}

async function* memberOf(files: Files, entry: Entry, names: EntryNames, problems: Problem[]): AsyncGenerator<Member> {
  const refusal = whyLeftOut(entry)
  if (refusal) {
    problems.push({ path: entry.path, why: refusal })
    return
  }
  if (entry.kind === 'folder') {
    yield folderMember(entry, await names.of(entry.path))
    return
  }
  const file = await openOrTell(files, entry.path, problems)
  if (!file) return
  try {
    yield fileMember(file, await names.of(entry.path))
  } finally {
    await file.close()
  }
}

/** Links to folders could lead in circles; the folder itself is in the archive if it lies below the same place. */
function whyLeftOut({ kind, isLink, path, canonical }: Entry): Problem['why'] | undefined {
  if (kind === 'special') return 'special_file'
  if (kind === 'link') return 'outside_scope'
  return kind === 'folder' && isLink && path !== canonical ? 'folder_link' : undefined
}

async function openOrTell(files: Files, path: FilePath, problems: Problem[]): Promise<OpenFile | undefined> {
  try {
    return await files.open(path)
  } catch (thrown) {
    const { code } = asAppError(thrown)
    if (code === 'internal') throw thrown
    problems.push({ path, why: code })
    return undefined
  }
}

function folderMember({ modified, mode }: Entry, name: string): Member {
  return { name: `${name}/`, kind: 'folder', size: 0, modified, mode: mode & 0o777, content: noContent }
}

function fileMember(file: OpenFile, name: string): Member {
  const { path, size, modified, mode, version } = file.entry
  const content = () => (size === 0 ? noContent() : file.stream())
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
    if (size > 0) yield* file.stream({ start: 0, end: size - 1 })
  } finally {
    await file.close()
  }
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
