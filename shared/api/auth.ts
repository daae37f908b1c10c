import * as z from 'zod/mini'

/** Body of `POST /api/login` (contract 2.1). Unknown fields are ignored. */
export const LoginRequest = z.object({
  username: z.string().check(z.maxLength(1024)),
  password: z.string().check(z.maxLength(1024)),
  recaptcha: z.optional(z.string().check(z.maxLength(8192))),
})
export type LoginRequest = z.infer<typeof LoginRequest>
