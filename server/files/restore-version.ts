import type { FilePath } from '../../shared/path.ts'
import type { Files } from './files.ts'
import type { Written } from './versions.ts'

/** Which version of a file, and what becomes of it. */
export interface VersionOrder {
  id: string
  /** It replaces the content of the file, or becomes another one. */
  how: 'replace' | 'copy'
  /** The path of the other file; with another name if it is taken. */
  to?: FilePath
  /** Replace only this version of the file. */
  ifMatch?: string
  signal: AbortSignal
}

/**
 * Gives a file a former content again: the current one becomes a version first. Or writes that content to another file,
 * with its own modification time.
 * @throws not_found, gone, forbidden, precondition_failed, no_space
 */
export async function restoreVersion(
  files: Files,
  path: FilePath,
  { id, how, to, ifMatch, signal }: VersionOrder,
): Promise<Written> {
  const { version, file } = await files.versions.openOf(path, id)
  try {
    const { size: length } = file.entry
    if (how === 'replace') {
      const condition = ifMatch === undefined ? {} : { ifMatch }
      return await files.save(path, file.stream(), { length, reason: 'restore', signal, ...condition })
    }
    const { modified, mode } = version
    return await files.transfers.withFreeName(to ?? path, free =>
      files.write(free, file.stream(), { override: false, length, modified, mode: mode & 0o777, signal }),
    )
  } finally {
    await file.close()
  }
}
