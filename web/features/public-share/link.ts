import { encodePath, type FilePath } from '../../../shared/path.ts'

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
