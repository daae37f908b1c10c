import type { SharedResource } from '../../../shared/api/shares.ts'
import { encodePath, type FilePath, nameOf, parsePath } from '../../../shared/path.ts'

/** A share link as its visitor has it. */
export interface Link {
  hash: string
  /** Of a password-protected share, after the password was entered. */
  ticket: string | undefined
}

/** In-app URL of an item of a share. */
export function linkAddress({ hash }: Link, path: FilePath): string {
  return `/share/${encodeURIComponent(hash)}${encodePath(path)}`
}

/** The name of an item of a share. The API gives every folder there the name of the shared one (http-api 10.2). */
export function nameOfShared(resource: SharedResource): string {
  return ('items' in resource && nameOf(parsePath(resource.path))) || resource.name
}
