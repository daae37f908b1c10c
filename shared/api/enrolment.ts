import * as z from 'zod/mini'
import { NewTotp, TotpCode } from './factors.ts'
import { PasskeyTicket } from './passkeys.ts'

/** Response of `POST /api/login/enrol/totp` (http-api 34). */
export const EnrolTotp = z.extend(NewTotp, { ticket: z.string() })
export type EnrolTotp = z.infer<typeof EnrolTotp>

/** Body of `POST /api/login/enrol/totp/confirm`. */
export const EnrolCode = z.extend(TotpCode, { ticket: PasskeyTicket.shape.ticket })
export type EnrolCode = z.infer<typeof EnrolCode>

/** A sign-in that ended in a new factor. */
export const Enrolled = z.object({
  /** The session token. */
  token: z.string(),
  /** Recovery codes, which no other response contains. */
  codes: z.array(z.string()),
})
export type Enrolled = z.infer<typeof Enrolled>
