import type { ResourceItem } from '../../../shared/api/resources.ts'
import type { SharedResource } from '../../../shared/api/shares.ts'
import { encodePath, type FilePath, nameOf, parsePath } from '../../../shared/path.ts'

/** A share link as its visitor has it. */
export interface Link {
  hash: string
  /** Of a password-protected share, after the password was entered. */
  ticket: string | undefined
  /** Whether a link to edit asks for the name of its visitor; absent where it does not. */
  sender?: SharedResource['sender']
}

/** In-app URL of an item of a share. */
export function linkAddress({ hash }: Link, path: FilePath): string {
  return `/share/${encodeURIComponent(hash)}${encodePath(path)}`
}

/** The path of a file behind the link. A share of a file ignores it, but browsers expect a name there (http-api 10.2). */
export const pathOf = ({ path, name }: ResourceItem): string => path || `/${name}`

/** The name of an item of a share. The API gives every folder there the name of the shared one (http-api 10.2). */
export function nameOfShared(resource: SharedResource): string {
  return ('items' in resource && nameOf(parsePath(resource.path))) || resource.name
}
