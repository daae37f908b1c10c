/** Why a sign-in with a provider failed; in the address of the login page (http-api 27). */
export const PROBLEMS = [
  'denied',
  'expired',
  'mismatch',
  'away',
  'not_allowed',
  'no_account',
  'name_taken',
  'disabled',
  'bad_claims',
  'other_account',
  'linked_already',
  'not_asked',
  'internal',
] as const
export type Problem = (typeof PROBLEMS)[number]

/** A refused sign-in. The message is for the log: no secret. */
export class SignInProblem extends Error {
  readonly problem: Problem

  constructor(problem: Problem, message: string = problem, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SignInProblem'
    this.problem = problem
  }
}
