import * as z from 'zod/mini'

/** Body of `POST /api/login` (contract 2.1); none at all where the method needs none. Unknown fields are ignored. */
export const LoginRequest = z.nullable(
  z.object({
    username: z.string().check(z.maxLength(1024)),
    password: z.string().check(z.maxLength(1024)),
    recaptcha: z.nullish(z.string().check(z.maxLength(8192))),
  }),
)
export type LoginRequest = z.infer<typeof LoginRequest>

/** Body of `POST /api/signup` (contract 2.3); a missing one is refused with a cause. */
export const SignupRequest = z.nullable(
  z.object({
    username: z.nullish(z.string().check(z.maxLength(1024))),
    password: z.nullish(z.string().check(z.maxLength(2048))),
  }),
)
export type SignupRequest = z.infer<typeof SignupRequest>
