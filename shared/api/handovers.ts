import * as z from 'zod/mini'

/** Body of `POST /api/users/{id}/handover` (http-api 43). */
export const HandoverRequest = z.object({
  /** The id of the user who gets everything. */
  to: z.int().check(z.positive()),
  /** Whether the home becomes a folder of that user. */
  move: z.exactOptional(z.boolean()),
  current_password: z.nullish(z.string().check(z.maxLength(1024))),
})
export type HandoverRequest = z.infer<typeof HandoverRequest>

export const Handover = z.object({
  /** The home, in the files of its new owner; if it was moved. */
  folder: z.exactOptional(z.string()),
  /** Links and grants to what the new owner does not have: they end with the account. */
  left: z.int(),
})
export type Handover = z.infer<typeof Handover>
