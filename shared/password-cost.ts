/** What making or checking the hash of a password takes, in the terms of Argon2id (RFC 9106). */
export interface PasswordCost {
  /** KiB. */
  memory: number
  passes: number
  parallelism: number
}

/** The costs that a host may choose, by their names; the least is the least that OWASP names. */
export const PASSWORD_COSTS = {
  least: { memory: 19 * 1024, passes: 2, parallelism: 1 },
  usual: { memory: 32 * 1024, passes: 3, parallelism: 1 },
  high: { memory: 64 * 1024, passes: 4, parallelism: 1 },
} as const satisfies Record<string, PasswordCost>
