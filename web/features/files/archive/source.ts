import { encodePath, type FilePath } from '../../../../shared/path.ts'

/** How an archive is read: with an account, or through a public share. */
export interface ArchiveSource {
  /** Identifies the archive and its version. */
  key: string
  name: string
  /** API call for a folder in it, without the base URL. */
  list(place: FilePath): string
  /** API call for a file in it. @param inline display, not save */
  member(place: FilePath, inline: boolean): string
  /** Whether calls carry the session token. */
  auth: boolean
}

/** A path in an archive as the API takes it: percent-encoded once more. */
export const placeValue = (place: FilePath): string => encodeURIComponent(encodePath(place))

/** An archive among the user's files. */
export function ownArchive({ path, name, modified }: { path: string; name: string; modified: string }): ArchiveSource {
  const encoded = encodePath(path)
  return {
    key: `${path}\n${modified}`,
    name,
    list: place => `/api/archives/list${encoded}?in=${placeValue(place)}`,
    member: (place, inline) =>
      `/api/archives/member${encoded}?member=${placeValue(place)}${inline ? '&inline=true' : ''}`,
    auth: true,
  }
}
