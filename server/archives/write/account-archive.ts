import { type FilePath, ROOT } from '../../../shared/path.ts'
import type { Files } from '../../files/files.ts'
import { type Member, membersOf } from './entries.ts'
import { zip } from './zip.ts'

/** A file of an archive that is made for it. */
export interface MadeFile {
  name: string
  content: string
}

/** The folder of an archive that holds the files of a user. */
const FILES = 'files'

/**
 * A zip archive of some made files, and of all files that a user may see and read, in a folder of their own; streamed, a chunk is
 * valid until the next one is requested.
 * @param files nothing for a user without files
 */
export const accountArchive = (
  made: readonly MadeFile[],
  files: Files | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> => zip(membersFor(made, files, signal))

async function* membersFor(
  made: readonly MadeFile[],
  files: Files | undefined,
  signal: AbortSignal,
): AsyncGenerator<Member[]> {
  const modified = Date.now()
  yield made.map(({ name, content: text }) => {
    const content = Buffer.from(text)
    return { name, kind: 'file', size: content.length, modified, mode: 0o640, content }
  })
  if (!files) return
  const selection = { base: ROOT as FilePath, roots: [await files.info(ROOT)], problems: [], title: FILES }
  for await (const members of membersOf(files, selection, { signal }))
    yield members.map(member => ({ ...member, name: `${FILES}/${member.name}` }))
}
