import { encodePath } from '../../../../shared/path.ts'
import { apiUrl } from '../../../lib/api.ts'

/** The archive formats that the server creates, and the value of `algo` for each. */
export const ARCHIVE_FORMATS = [
  { name: 'zip', algo: 'zip' },
  { name: 'tar', algo: 'tar' },
  { name: 'tar.gz', algo: 'targz' },
  { name: 'tar.bz2', algo: 'tarbz2' },
  { name: 'tar.xz', algo: 'tarxz' },
  { name: 'tar.lz4', algo: 'tarlz4' },
  { name: 'tar.sz', algo: 'tarsz' },
  { name: 'tar.zst', algo: 'tarzst' },
  { name: 'tar.br', algo: 'tarbr' },
] as const

/** Where the files of a public share come from. */
export interface SharedSource {
  /** The API call to which a path below the share is appended, without the base URL. */
  call: string
  /** Token of a password-protected share. */
  token: string | undefined
}

export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number]

/** Longest URL, in characters: servers and proxies refuse longer ones. */
const LONGEST_URL = 7000

/**
 * URL of a folder, or of some items in it, as an archive (http-api 5). Names are encoded twice, because a comma
 * separates them. `undefined` when the names exceed the longest URL.
 * @param names in the folder, or paths below it; empty for the folder itself
 * @param shared set for items of a public share
 */
export function archiveUrl(
  folder: string,
  names: readonly string[],
  { algo }: ArchiveFormat,
  shared?: SharedSource,
): string | undefined {
  const files = names.length > 0 ? `files=${encodeURIComponent(names.map(encodePath).join(','))}&` : ''
  const slash = folder === '/' ? '' : '/'
  const token = shared?.token === undefined ? '' : `&token=${encodeURIComponent(shared.token)}`
  const url = apiUrl(`${shared?.call ?? '/api/raw'}${encodePath(folder)}${slash}?${files}algo=${algo}${token}`)
  return url.length > LONGEST_URL ? undefined : url
}
