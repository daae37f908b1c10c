import { encodePath } from '../../../../shared/path.ts'
import { apiUrl } from '../../../lib/api.ts'

/** The archives the server makes, and the value of `algo` for each. */
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

/** Where the files of a public link come from. */
export interface SharedSource {
  /** Call that a path below the link is put behind, without the base URL. */
  call: string
  /** Of a link with a password. */
  token: string | undefined
}

export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number]

/** Longest address, in characters: servers and proxies refuse longer ones. */
const LONGEST_URL = 7000

/**
 * Address of a folder, or of some things in it, as an archive (http-api 5). Names are encoded twice, because a comma
 * separates them. `undefined` when so many are named that no address can hold them.
 * @param names in the folder, or paths below it; without any the folder itself
 * @param shared for what is reached through a public link
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
