import * as z from 'zod/mini'

/** A time in a response: RFC 3339, in UTC unless the field says otherwise. The description of the API has its format. */
export const Time = z.string()

/** A time in a request. The server reads it, and refuses what is not RFC 3339. */
export const TimeInput = z.string().check(z.maxLength(64))
