import type { Sorting } from '../sorting.ts'

/** How a resource is shown (specification section 3); `''` for folders. */
export type ResourceType = 'image' | 'audio' | 'video' | 'pdf' | 'text' | 'textImmutable' | 'blob' | 'invalid_link' | ''

/** One file or folder on the wire (contract 15.1). */
export interface ResourceItem {
  /** Absolute inside the scope. */
  path: string
  /** `''` for the root. */
  name: string
  /** Bytes; for a folder its own, not its content's. */
  size: number
  /** From the last dot, dot included; `''` if none. */
  extension: string
  /** RFC 3339. */
  modified: string
  /** Go file-mode bits: permissions, plus 2^31 for folders, 2^27 for links, 2^25 for pipes. */
  mode: number
  isDir: boolean
  isSymlink: boolean
  type: ResourceType
}

/** Answer to `GET /api/resources/{file}`. */
export interface FileResource extends ResourceItem {
  /** Paths of the subtitles that belong to a video; left out when there are none (contract 7). */
  subtitles?: string[]
  content?: string
  /** Lower-case hex by algorithm, when one was asked for. */
  checksums?: Record<string, string>
}

/** Answer to `GET /api/resources/{folder}`. */
export interface FolderResource extends ResourceItem {
  items: ResourceItem[]
  numDirs: number
  numFiles: number
  sorting: Sorting
}

export type Resource = FileResource | FolderResource

/** One line of the answer to `GET /api/resources/recursive/{folder}` (contract 3.7). */
export type RecursiveItem = Pick<ResourceItem, 'path' | 'name' | 'size' | 'modified' | 'isDir'>

/** Answer to `GET /api/usage/{path}`, in bytes. */
export interface UsageAnswer {
  total: number
  used: number
}
