import * as z from 'zod/mini'
import { MAX_LINK_LABEL, MAX_LINK_NOTE } from '../limits.ts'
import { MAX_LINK_NAME } from '../link-names.ts'
import { FileResource, FolderResource } from './resources.ts'
import { Time } from './time.ts'

/**
 * What visitors of a link do: view and download (`view`), change files in the folder as well (`edit`), or deliver files
 * without a view of the folder (`drop`).
 */
export const LINK_KINDS = ['view', 'edit', 'drop'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** What a link to edit can give, besides viewing and downloading. */
export const EDIT_RIGHTS = ['create', 'rename', 'modify', 'delete'] as const
export type EditRight = (typeof EDIT_RIGHTS)[number]

/** Whether visitors who deliver files or change them give their name. */
export const SENDERS = ['no', 'optional', 'required'] as const
export type Sender = (typeof SENDERS)[number]

const limit = z.exactOptional(z.nullable(z.int().check(z.positive())))

/** What a file request asks for and takes; `null` for no limit. Other links have the note only, and to edit `sender`. */
const terms = {
  /** For visitors. */
  note: z.exactOptional(z.string().check(z.maxLength(MAX_LINK_NOTE))),
  sender: z.exactOptional(z.enum(SENDERS)),
  /** Bytes of each file. */
  maxFileBytes: limit,
  /** Bytes of all files that ever arrive. */
  maxBytes: limit,
  /** Number of files that ever arrive. */
  maxItems: limit,
}

const named = {
  /** In its address, besides the hash: 3 to 64 of `a-z`, `0-9` and `-`. Only for links with a password. */
  slug: z.exactOptional(z.nullable(z.string().check(z.maxLength(MAX_LINK_NAME)))),
  /** Downloads of all visitors together, of a link to view; `null` for no limit. */
  maxDownloads: limit,
  /** Whether visitors of a link to view see listings and previews only, and download nothing. */
  previewOnly: z.exactOptional(z.boolean()),
}

/** Of a link to edit: what visitors may do if its owner may. */
const rights = z.exactOptional(z.array(z.enum(EDIT_RIGHTS)).check(z.minLength(1), z.maxLength(EDIT_RIGHTS.length)))

/** The owner's name for a link. */
const label = z.exactOptional(z.string().check(z.maxLength(MAX_LINK_LABEL)))

/** Units of a share link's lifetime, in seconds; any other unit means hours (http-api 10.1). */
export const SHARE_UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const

/** Longest lifetime of a share link. */
export const MAX_SHARE_DURATION = 2_147_483_647

/** Whether a text is a valid number of units; zero means that the link never expires. */
export function isShareCount(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_SHARE_DURATION
}

/**
 * Why a link opens for no visitor now, besides a pause: its owner does not have the folder (`folder`) or may not share it so
 * (`rights`), or the account of the owner is disabled (`owner`).
 */
export const LINK_OBSTACLES = ['folder', 'rights', 'owner'] as const
export type LinkObstacle = (typeof LINK_OBSTACLES)[number]

/** A share link as its owner sees it on the wire (http-api 10.1). */
export const ShareLink = z.object({
  hash: z.string(),
  /** As requested: absolute in the owner's scope, with a trailing slash where one was sent. */
  path: z.string(),
  userID: z.int(),
  /** Seconds since the epoch; 0 for never. */
  expire: z.int(),
  hasPassword: z.boolean(),
  /** The owner's name; for administrators only. */
  username: z.exactOptional(z.string()),
  /** Absent for none. */
  label,
  slug: z.exactOptional(z.string()),
  maxDownloads: z.exactOptional(z.int()),
  /** When it was paused (RFC 3339): visitors get 403. Absent while it is open. */
  paused: z.exactOptional(Time),
  /** Absent for a link that opens. It opens again once the reason is gone. */
  shut: z.exactOptional(z.enum(LINK_OBSTACLES)),
  previewOnly: z.exactOptional(z.literal(true)),
  /** Absent for links to view. */
  kind: z.exactOptional(z.enum(['edit', 'drop'])),
  ...terms,
  /** Of a link to edit. */
  rights,
  /** Of a link to edit: what the audit log calls it. */
  id: z.exactOptional(z.string()),
  /** Of a file request: number and bytes of the files that arrived. */
  received: z.exactOptional(z.object({ items: z.int(), bytes: z.number() })),
  /** Visits, begun downloads, and the last of both (RFC 3339); absent for a link that was never used. */
  used: z.exactOptional(z.object({ views: z.int(), downloads: z.int(), last: Time })),
  /** On request only. */
  created: z.exactOptional(Time),
})
export type ShareLink = z.infer<typeof ShareLink>

/** Body of `POST /api/share/{path}`; if absent, the query counts. */
export const ShareRequest = z.nullable(
  z.object({
    password: z.nullish(z.string()),
    /** An integer; empty, missing or 0 means that the link never expires. */
    expires: z.nullish(z.union([z.string().check(z.maxLength(64)), z.number()])),
    unit: z.nullish(z.string().check(z.maxLength(64))),
    /** `view` unless given. */
    kind: z.exactOptional(z.enum(LINK_KINDS)),
    /** Required for a link to edit, and for no other. */
    rights,
    label,
    ...named,
    ...terms,
  }),
)
export type ShareRequest = z.infer<typeof ShareRequest>

/** Response of `GET /api/links/{hash}/visits`: the last openings and downloads, the newest first. */
export const LinkVisits = z.array(
  z.object({
    /** RFC 3339. */
    time: Time,
    what: z.enum(['view', 'download']),
    /** Below the link; `/` for all of it. */
    path: z.string(),
  }),
)
export type LinkVisits = z.infer<typeof LinkVisits>

/** Body of `PATCH /api/links/{hash}`: what is left out stays. */
export const LinkChange = z.object({
  /** Seconds since the epoch, in the future; 0 for never. */
  expire: z.exactOptional(z.int().check(z.nonnegative())),
  /** The new password; `null` or an empty text for none. */
  password: z.exactOptional(z.nullable(z.string())),
  /** Whether it is shut for visitors until it is resumed. */
  paused: z.exactOptional(z.boolean()),
  rights,
  label,
  ...named,
  ...terms,
})
export type LinkChange = z.infer<typeof LinkChange>

const visited = {
  /** Only of a link to edit. */
  kind: z.exactOptional(z.literal('edit')),
  /** Of a link to edit: what visitors may do now, perhaps nothing. */
  rights: z.exactOptional(z.array(z.enum(EDIT_RIGHTS))),
  /** Of a link to edit: whether it asks for the name of the visitor; absent where it does not. */
  sender: z.exactOptional(z.enum(['optional', 'required'])),
  /** Authorizes downloads from a password-protected link for an hour. */
  token: z.exactOptional(z.string()),
  /** Of a link with a limit. */
  downloadsLeft: z.exactOptional(z.int()),
  /** Nothing is downloaded. */
  previewOnly: z.exactOptional(z.literal(true)),
  /** The owner’s message. */
  note: z.exactOptional(z.string()),
}

/** What visitors learn about a file request. */
export const FileRequest = z.object({
  note: z.string(),
  sender: z.enum(SENDERS),
  maxFileBytes: z.nullable(z.number()),
  /** What it still takes; `null` without a limit. */
  bytesLeft: z.nullable(z.number()),
  itemsLeft: z.nullable(z.int()),
})
export type FileRequest = z.infer<typeof FileRequest>

/**
 * Response of `GET /api/public/share/{hash}/{path}`: paths are relative to the shared object, `''` for a shared file.
 * A file request is an empty folder with a `request`.
 */
export const SharedResource = z.discriminatedUnion('isDir', [
  z.extend(FolderResource, { ...visited, request: z.exactOptional(FileRequest) }),
  z.extend(FileResource, visited),
])
export type SharedResource = z.infer<typeof SharedResource>

/** A file that arrived by a file request. */
export const Delivery = z.object({
  /** In the shared folder, when it arrived. */
  name: z.string(),
  /** What the visitor called it. */
  given: z.string(),
  /** The name that the visitor gave; `''` for none. */
  sender: z.string(),
  /** The visitor's message. */
  note: z.string(),
  size: z.number(),
  /** RFC 3339. */
  time: Time,
})
export type Delivery = z.infer<typeof Delivery>

/** Response of `GET /api/links/{hash}/deliveries`: the newest first. */
export const DeliveriesPage = z.object({
  deliveries: z.array(Delivery),
  /** For `before` of the next page, if there is one. */
  next: z.exactOptional(z.string()),
})
export type DeliveriesPage = z.infer<typeof DeliveriesPage>
