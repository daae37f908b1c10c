import * as z from 'zod/mini'
import { StarredItem } from './marks.ts'

export const TAG_COLOURS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink', 'grey'] as const
export type TagColour = (typeof TAG_COLOURS)[number]

/** Who makes shared tags: administrators, or all users with the permission to modify. */
export const SHARED_TAGS = ['admins', 'modify'] as const
export type SharedTags = (typeof SHARED_TAGS)[number]

/** Maximum characters of a tag's name. */
export const MAX_TAG_NAME = 64
/** Maximum paths of one `PUT /api/tagged`. */
export const MAX_TAGGED_PATHS = 1000
/** Maximum tags that one request adds, and that it removes. */
export const MAX_TAGS_SET = 50

export const Tag = z.object({
  id: z.string(),
  name: z.string(),
  colour: z.enum(TAG_COLOURS),
  /** Whether it is every user's; otherwise it is the caller's alone. */
  shared: z.boolean(),
})
export type Tag = z.infer<typeof Tag>

/** Response of `GET /api/tags`: by name. */
export const TagList = z.object({ items: z.array(Tag) })
export type TagList = z.infer<typeof TagList>

/** One line, without blanks around it. */
const TagName = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_TAG_NAME), z.regex(/^\P{Cc}+$/u))

/** Body of `POST /api/tags`. */
export const NewTag = z.object({
  name: TagName,
  colour: z.enum(TAG_COLOURS),
  shared: z._default(z.boolean(), false),
})
export type NewTag = z.infer<typeof NewTag>

/** Body of `PATCH /api/tags/{id}`. */
export const TagChange = z.object({ name: z.exactOptional(TagName), colour: z.exactOptional(z.enum(TAG_COLOURS)) })
export type TagChange = z.infer<typeof TagChange>

const TagIds = z.array(z.string().check(z.maxLength(64))).check(z.maxLength(MAX_TAGS_SET))

/** Body of `PUT /api/tagged`. */
export const Tagging = z.object({
  paths: z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_TAGGED_PATHS)),
  /** Ids of tags. */
  add: z._default(TagIds, () => []),
  remove: z._default(TagIds, () => []),
})
export type Tagging = z.infer<typeof Tagging>

export const TaggedResult = z.object({
  path: z.string(),
  /** Ids of all its tags now. */
  tags: z.exactOptional(z.array(z.string())),
  /** Why nothing was changed: a code as in the header `X-Error-Code`. */
  code: z.exactOptional(z.string()),
})
export type TaggedResult = z.infer<typeof TaggedResult>

/** Response of `PUT /api/tagged`: in the order of the paths. */
export const TaggedResults = z.object({ results: z.array(TaggedResult) })
export type TaggedResults = z.infer<typeof TaggedResults>

/** Response of `GET /api/tags/{id}/items`. */
export const TaggedItems = z.object({
  items: z.array(StarredItem),
  /** `before` of the next page. */
  next: z.exactOptional(z.string()),
})
export type TaggedItems = z.infer<typeof TaggedItems>
