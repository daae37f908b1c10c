import * as z from 'zod/mini'
import { LockInfo } from './locks.ts'
import { Time } from './time.ts'

/** How a document is opened in an office editor. */
export const OFFICE_MODES = ['edit', 'view'] as const
export type OfficeMode = (typeof OFFICE_MODES)[number]

/** Body of `POST /api/office/open`. */
export const OfficeRequest = z.object({
  path: z.string(),
  mode: z._default(z.enum(OFFICE_MODES), 'edit'),
})
export type OfficeRequest = z.infer<typeof OfficeRequest>

/** Why a document that was to be edited is only shown: the user’s rights, the lock of a program, or what the editor can do. */
export const OFFICE_REASONS = ['rights', 'locked', 'format'] as const

/** What a page needs to show a document in an office editor: a form in a frame, which sends the token to the address. */
export const OfficeDocument = z.object({
  /** Address of the editor for this document. */
  action: z.string(),
  /** The field `access_token` of the form. */
  token: z.string(),
  /** The field `access_token_ttl`: when the token ends, in milliseconds since the epoch. */
  ttl: z.number(),
  /** Whether the user can change the document. */
  writable: z.boolean(),
  /** Missing where the document is writable, or was to be viewed. */
  reason: z.exactOptional(z.enum(OFFICE_REASONS)),
  /** With the reason `locked`: who has locked the document, as far as the caller may know it, with which program. */
  lock: z.exactOptional(z.pick(LockInfo, { mine: true, who: true, label: true })),
})
export type OfficeDocument = z.infer<typeof OfficeDocument>

/** Response of `POST /api/office/test`: the three ways between this server, the editor and browsers. */
export const OfficeTest = z.object({
  /** From this server to the editor. */
  discovery: z.object({
    ok: z.boolean(),
    /** In English, for administrators. */
    reason: z.exactOptional(z.string()),
    /** How many extensions the editor opens. */
    extensions: z.exactOptional(z.number()),
    /** Whether the editor signs its requests. */
    signs: z.exactOptional(z.boolean()),
  }),
  /** From the editor to this server: what its requests since the start of this server say. */
  calls: z.object({
    /** Address of this server for the editor. */
    address: z.string(),
    /** RFC 3339: the last request that was the editor’s. */
    answered: z.exactOptional(Time),
    /** RFC 3339: the last one with a valid token whose signature was wrong or missing. */
    refused: z.exactOptional(Time),
  }),
  /** From browsers to the editor; missing without a discovery. `ok` is false where the editor names another address. */
  pages: z.exactOptional(z.object({ ok: z.boolean(), origin: z.string() })),
})
export type OfficeTest = z.infer<typeof OfficeTest>
