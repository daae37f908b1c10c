/** The cost of a password hash, in the terms of Argon2id (RFC 9106). */
export interface PasswordCost {
  /** KiB. */
  memory: number
  passes: number
  parallelism: number
}

/**
 * The cost settings of a host, by name; the lowest is the fastest that OWASP recommends. None is below 32 MiB: glibc
 * returns allocations of that size to the system after each hash, but keeps smaller ones, one per thread that made
 * some.
 */
export const PASSWORD_COSTS = {
  least: { memory: 46 * 1024, passes: 1, parallelism: 1 },
  usual: { memory: 32 * 1024, passes: 3, parallelism: 1 },
  high: { memory: 64 * 1024, passes: 4, parallelism: 1 },
} as const satisfies Record<string, PasswordCost>
