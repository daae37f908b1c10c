import { type FilePath, nameOf, parentOf } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { OpenFile } from '../../files/types.ts'
import { REQUEST_SEMAPHORE } from '../codecs/codec-threads.ts'
import type { ArchiveIndex, IndexEntry } from './archive-index.ts'
import { openArchive } from './open-archive.ts'

/**
 * A readable file in an archive, by path. @throws not_found, is_a_folder, special_file for links and the like,
 * encrypted
 */
export function findFile(index: ArchiveIndex, place: FilePath): IndexEntry & { number: number } {
  const entry = index.folders.get(parentOf(place))?.get(nameOf(place))
  if (!entry) throw new AppError('not_found')
  const { number, kind, encrypted } = entry
  if (kind === 'folder' || number === undefined) throw new AppError('is_a_folder')
  if (kind !== 'file') throw new AppError('special_file')
  if (encrypted) throw new AppError('encrypted')
  return { ...entry, number }
}

/** The bytes of a member by number. @throws see `ReadMember.content` */
export async function* memberContent(file: OpenFile, number: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const archive = await openArchive(file, REQUEST_SEMAPHORE)
  for await (const member of archive.members(signal)) {
    if (member.number < number) continue
    yield* member.content()
    return
  }
  throw new AppError('not_found')
}
