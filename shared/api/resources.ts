import * as z from 'zod/mini'
import { RESOURCE_TYPES } from '../resource-types.ts'
import { SORT_FIELDS } from '../sorting.ts'
import { Time } from './time.ts'

/** The applied order of a listing (http-api 15.1). */
export const SortingAnswer = z.object({ by: z.enum(SORT_FIELDS), asc: z.boolean() })

/** The type of a resource; `''` for folders. */
export const ResourceType = z.enum(RESOURCE_TYPES)
export type ResourceType = z.infer<typeof ResourceType>

/** One file or folder on the wire (http-api 15.1). */
export const ResourceItem = z.object({
  /** Absolute inside the scope. */
  path: z.string(),
  /** `''` for the root. */
  name: z.string(),
  /** Bytes; for a folder its own, without its content. */
  size: z.number(),
  /** From the last dot, dot included; `''` if none. */
  extension: z.string(),
  /** RFC 3339. */
  modified: Time,
  /** Go file-mode bits: permissions, plus 2^31 for folders, 2^27 for links, 2^25 for pipes. */
  mode: z.int(),
  isDir: z.boolean(),
  isSymlink: z.boolean(),
  type: ResourceType,
})
export type ResourceItem = z.infer<typeof ResourceItem>

/** Response of `GET /api/resources/{file}`. */
export const FileResource = z.extend(ResourceItem, {
  isDir: z.literal(false),
  /** Paths of the subtitles of a video; omitted when there are none (http-api 7). */
  subtitles: z.exactOptional(z.array(z.string())),
  content: z.exactOptional(z.string()),
  /**
   * Dimensions of an image in pixels, as stored, if its header contains them and the host lets it be read (http-api
   * 15.1).
   */
  resolution: z.exactOptional(z.object({ width: z.int(), height: z.int() })),
  /** Lower-case hex by algorithm, if one was requested. */
  checksums: z.exactOptional(z.record(z.string(), z.string())),
})
export type FileResource = z.infer<typeof FileResource>

/** Response of `GET /api/resources/{folder}`. */
export const FolderResource = z.extend(ResourceItem, {
  isDir: z.literal(true),
  items: z.array(ResourceItem),
  numDirs: z.int(),
  numFiles: z.int(),
  sorting: SortingAnswer,
})
export type FolderResource = z.infer<typeof FolderResource>

/**
 * Entries of one folder in columns of the same length: everything that cannot be derived from the rest
 * (docs/design/search.md).
 */
export const ListedRows = z.object({
  /** Joined by `/`. */
  names: z.string(),
  /** As in `ResourceItem`; so are the others. */
  sizes: z.array(z.number()),
  /** RFC 3339, joined by `/`. */
  modified: z.string(),
  modes: z.array(z.int()),
  /** One digit each: the position in `RESOURCE_TYPES`. */
  types: z.string(),
  /** Positions of symbolic links. */
  links: z.array(z.int()),
})
export type ListedRows = z.infer<typeof ListedRows>

/** First line of a listing in rows. */
export const ListingStart = z.extend(z.omit(FolderResource, { items: true }), { rows: ListedRows })
export type ListingStart = z.infer<typeof ListingStart>

/** Last line of a listing in rows; lines between the two are `ListedRows`. */
export const ListingEnd = z.object({
  /** Of the whole listing, with its quotes; for `If-None-Match`. */
  etag: z.string(),
})
export type ListingEnd = z.infer<typeof ListingEnd>

/** `isDir` says which of the two it is. */
export const Resource = z.discriminatedUnion('isDir', [FolderResource, FileResource])
export type Resource = z.infer<typeof Resource>

/** A line of the response of `GET /api/resources/recursive/{folder}` (http-api 3.7). */
export const RecursiveItem = z.pick(ResourceItem, { path: true, name: true, size: true, modified: true, isDir: true })
export type RecursiveItem = z.infer<typeof RecursiveItem>

/**
 * Totals of everything below a folder: bytes, number of files, number of folders. `unread`: number of those folders
 * that could not be read, if any; their content is missing.
 */
export const FolderTotals = z.object({
  bytes: z.number(),
  files: z.number(),
  folders: z.number(),
  unread: z.optional(z.number()),
})
export type FolderTotals = z.infer<typeof FolderTotals>

/** Response of `GET /api/usage/{path}`, in bytes; `below` only on request, and if it is known. */
export const UsageAnswer = z.object({ total: z.number(), used: z.number(), below: z.optional(FolderTotals) })
export type UsageAnswer = z.infer<typeof UsageAnswer>
