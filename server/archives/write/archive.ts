import type { Readable } from 'node:stream'
import { type FilePath, joinPath, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { ByteRange, Entry } from '../../files/types.ts'
import { Semaphore } from '../../lib/limit.ts'
import { LIMITS } from '../../limits.ts'
import { withProgress } from '../progress.ts'
import { joined } from './buffer-reader.ts'
import { planZip } from './content-length.ts'
import { contentOf, type Member, membersOf } from './entries.ts'
import { type Format, plain } from './formats.ts'
import { within } from './range.ts'
import { select } from './selection.ts'
import { tar } from './tar.ts'
import { zip } from './zip.ts'

/** An archive that is about to be sent. */
export interface Archive {
  /** File name with its extension. */
  name: string
  /** Media type. */
  type: string
  /** Length in bytes and version, where they are known in advance. */
  known?: { length: number; version: string }
  /**
   * The bytes, or a range where they are known in advance, generated on demand; may be called once. A chunk is valid
   * until the next one is requested.
   * @throws AppError `unavailable` when too many archives are being made
   */
  chunks(range?: ByteRange): AsyncIterable<Uint8Array>
  /** Must be called when no more chunks are read. Idempotent. */
  close(): Promise<void>
}

export interface ArchiveOptions {
  /** A single folder keeps its name in the archive; by default its content is at the top. */
  named?: boolean
  /** Receives the number of bytes read from files since the last call. */
  onRead?: (bytes: number) => void
  signal?: AbortSignal
}

/**
 * An archive of a folder, or of some entries in it, limited to what the user may see and read. Unreadable files are
 * listed in a file inside; an error once a file's bytes are being sent ends the stream with that error.
 * @param names paths relative to the folder; empty for all its content
 * @throws forbidden without the download permission, not_found or forbidden when none of the names is available
 */
export async function makeArchive(
  files: Files,
  folder: Entry,
  names: readonly FilePath[],
  format: Format,
  { named = false, onRead, signal }: ArchiveOptions = {},
): Promise<Archive> {
  for (const name of names.length > 0 ? names : [ROOT]) files.demandRead(joinPath(folder.path, name))
  const selection = await select(files, folder, names, named)
  const counted = (members: AsyncIterable<Member[]>) => (onRead ? withReadProgress(members, onRead) : members)
  const { type, form, compress, extension } = format
  const name = selection.title + extension
  if (form === 'tar') {
    const bytes = () => tar(counted(membersOf(files, selection, { signal })))
    const chunks = () => (compress ? withSlowSlot(format, () => compress(joined(bytes()))) : bytes())
    return { name, type, chunks, close: async () => {} }
  }
  const plan = await planZip(files, selection, signal)
  const members = () => counted(plan?.members() ?? membersOf(files, selection, { signal }))
  const chunks = (range?: ByteRange) => (range ? within(zip(members()), range) : zip(members()))
  return { name, type, chunks, close: async () => plan?.close(), ...(plan ? { known: plan } : {}) }
}

/** The bytes of an archive as a stream whose chunks may be retained. Throws what `chunks` throws. */
export const streamOf = (archive: Archive): Readable => plain(joined(archive.chunks()))

async function* withReadProgress(
  groups: AsyncIterable<Member[]>,
  report: (bytes: number) => void,
): AsyncGenerator<Member[]> {
  for await (const members of groups)
    yield members.map(member => ({ ...member, content: () => withProgress(contentOf(member), report) }))
}

/** Archives in slow formats that a process creates at a time. */
const slowArchives = new Semaphore(LIMITS.slowArchives)

function withSlowSlot({ costly }: Format, make: () => Readable): Readable {
  if (!costly) return make()
  const release = slowArchives.tryAcquire()
  if (!release) throw new AppError('unavailable', 'too many archives of this format are being made')
  return make().once('close', release)
}
