import * as z from 'zod/mini'
import { Time } from './time.ts'

/** A file or folder that the caller marked, where it is now. Paths are absolute in the caller's scope. */
export const MarkedItem = z.object({
  /** Of the file or folder through all its moves and contents. */
  id: z.string(),
  /** In the trash the path that it had. */
  path: z.string(),
  name: z.string(),
  isDir: z.boolean(),
  /** Bytes; 0 for a folder. */
  size: z.number(),
  /** RFC 3339. */
  modified: Time,
})
export type MarkedItem = z.infer<typeof MarkedItem>

export const StarredItem = z.object({
  ...MarkedItem.shape,
  /** The id of the item of the trash that it is, or lies in. */
  trash: z.exactOptional(z.string()),
})
export type StarredItem = z.infer<typeof StarredItem>

/** Response of `GET /api/stars`: in the caller's order. */
export const StarList = z.object({ items: z.array(StarredItem) })
export type StarList = z.infer<typeof StarList>

/** Body of `POST /api/stars/order`. */
export const StarOrder = z.object({
  /** In the new order; stars that it does not name follow. */
  ids: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(10_000)),
})
export type StarOrder = z.infer<typeof StarOrder>

/** The marks of one item. */
export const Mark = z.object({
  star: z.exactOptional(z.literal(true)),
  /** Ids of its tags. */
  tags: z.exactOptional(z.array(z.string())),
  /** Whether it has a note. */
  note: z.exactOptional(z.literal(true)),
  /** Number of comments on it. */
  comments: z.exactOptional(z.number()),
})
export type Mark = z.infer<typeof Mark>

/** Response of `GET /api/marks/{folder}`: the marked items in the folder by name. */
export const FolderMarks = z.record(z.string(), Mark)
export type FolderMarks = z.infer<typeof FolderMarks>

export const RecentItem = z.object({
  ...MarkedItem.shape,
  /** When the caller opened or changed it, RFC 3339. */
  time: Time,
})
export type RecentItem = z.infer<typeof RecentItem>

/** Response of `GET /api/recent`: the latest first. */
export const RecentList = z.object({
  /** Whether files that the caller opens are noted. */
  remember: z.boolean(),
  opened: z.array(RecentItem),
  changed: z.array(RecentItem),
})
export type RecentList = z.infer<typeof RecentList>

/** Body of `PATCH /api/recent`. */
export const RecentSettings = z.object({ remember: z.boolean() })
export type RecentSettings = z.infer<typeof RecentSettings>
