import * as z from 'zod/mini'

/** Body of `POST /api/login/handover`: the code in the fragment of the login page's address. */
export const HandoverRequest = z.object({ code: z.string().check(z.maxLength(128)) })
export type HandoverRequest = z.infer<typeof HandoverRequest>
