import { encodePath, type FilePath } from '../../../../shared/path.ts'

/** Where an archive is looked into: by somebody with an account, or by a link. */
export interface ArchiveSource {
  /** Tells archives apart, and versions of one. */
  key: string
  name: string
  /** Call for a folder in it, without the base URL. */
  list(place: FilePath): string
  /** Call for a file in it. @param inline show, not save */
  member(place: FilePath, inline: boolean): string
  /** Whether calls carry the session. */
  auth: boolean
}

/** A place in an archive as calls take it: percent-encoded once more. */
export const placeValue = (place: FilePath): string => encodeURIComponent(encodePath(place))

/** An archive in the own files. */
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
