import * as z from 'zod/mini'

/** Body of `POST /api/login/handover`: the code in the fragment of the login page's address. */
export const HandoverRequest = z.object({ code: z.string().check(z.maxLength(128)) })
export type HandoverRequest = z.infer<typeof HandoverRequest>

/** Body of `POST /api/oidc/{slug}/link`. */
export const LinkProvider = z.object({
  current_password: z.nullish(z.string().check(z.maxLength(1024))),
  /** The page to which the browser comes back, as a path below the base URL. */
  redirect: z.optional(z.string().check(z.maxLength(2048))),
})
export type LinkProvider = z.infer<typeof LinkProvider>

/** Body of `POST /api/oidc/{slug}/confirm`. */
export const ConfirmByProvider = z.pick(LinkProvider, { redirect: true })
export type ConfirmByProvider = z.infer<typeof ConfirmByProvider>

/** Response of these calls. */
export const ProviderAddress = z.object({ location: z.url() })
export type ProviderAddress = z.infer<typeof ProviderAddress>
