import type { SharedResource } from '../../../shared/api/shares.ts'
import { encodePath, type FilePath, nameOf, parsePath } from '../../../shared/path.ts'

/** A link as its holder has it. */
export interface Link {
  hash: string
  /** Of a link whose password was given. */
  ticket: string | undefined
}

/** Address inside the application of something below a link. */
export function linkAddress({ hash }: Link, path: FilePath): string {
  return `/share/${encodeURIComponent(hash)}${encodePath(path)}`
}

/** The name of something below a link. The wire calls every folder there by the name of the shared one (http-api 10.2). */
export function nameOfShared(resource: SharedResource): string {
  return ('items' in resource && nameOf(parsePath(resource.path))) || resource.name
}
