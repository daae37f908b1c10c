import * as z from 'zod/mini'

/** How a document is opened in an office editor. */
export const OFFICE_MODES = ['edit', 'view'] as const
export type OfficeMode = (typeof OFFICE_MODES)[number]

/** Body of `POST /api/office/open`. */
export const OfficeRequest = z.object({
  path: z.string(),
  mode: z._default(z.enum(OFFICE_MODES), 'edit'),
})
export type OfficeRequest = z.infer<typeof OfficeRequest>

/** What a page needs to show a document in an office editor: a form in a frame, which sends the token to the address. */
export const OfficeDocument = z.object({
  /** Address of the editor for this document. */
  action: z.string(),
  /** The field `access_token` of the form. */
  token: z.string(),
  /** The field `access_token_ttl`: when the token ends, in milliseconds since the epoch. */
  ttl: z.number(),
  /** Whether the user may change the document. */
  writable: z.boolean(),
})
export type OfficeDocument = z.infer<typeof OfficeDocument>
