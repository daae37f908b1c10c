/** What making or checking the hash of a password takes, in the terms of Argon2id (RFC 9106). */
export interface PasswordCost {
  /** KiB. */
  memory: number
  passes: number
  parallelism: number
}

/**
 * The costs that a host may choose, by their names; the least is the quickest that OWASP names. None takes less than 32 MiB:
 * glibc gives such pieces back to the system after each hash, and keeps smaller ones, one for every thread that made some.
 */
export const PASSWORD_COSTS = {
  least: { memory: 46 * 1024, passes: 1, parallelism: 1 },
  usual: { memory: 32 * 1024, passes: 3, parallelism: 1 },
  high: { memory: 64 * 1024, passes: 4, parallelism: 1 },
} as const satisfies Record<string, PasswordCost>
