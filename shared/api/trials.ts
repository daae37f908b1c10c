import * as z from 'zod/mini'

/** A part of a sign-in: the first three with an OpenID provider, the others with a directory. */
export const TrialStep = z.object({
  step: z.enum(['description', 'token', 'userInfo', 'connection', 'entry', 'password', 'groups']),
  /** What it was about, such as the server of a directory. */
  found: z.exactOptional(z.string()),
  /** Why it failed; the last step then. */
  failed: z.exactOptional(z.string()),
})
export type TrialStep = z.infer<typeof TrialStep>

const Arrived = z.object({
  /** Claims or attributes, as they arrived. */
  claims: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The groups of the user there. */
  groups: z.array(z.string()),
  /** The groups here that follow. */
  groupsHere: z.array(z.string()),
  /** Groups that `groupMap` names, and that do not exist here. */
  groupsMissing: z.array(z.string()),
  account: z.object({
    outcome: z.enum(['known', 'new', 'refused']),
    /** Of the account; for a refused user the name that arrived, or `''`. */
    username: z.string(),
    /** Why the user would be refused, as in the address of the login page. */
    problem: z.exactOptional(z.string()),
    reason: z.exactOptional(z.string()),
  }),
})

/** How a sign-in would go, step by step. It signs no user in, and changes nothing. */
export const SignInTrial = z.object({
  kind: z.enum(['oidc', 'ldap']),
  slug: z.string(),
  label: z.string(),
  /** In order; only the last one may have failed. */
  steps: z.array(TrialStep),
  /** Missing after a failed step. */
  arrived: z.exactOptional(Arrived),
})
export type SignInTrial = z.infer<typeof SignInTrial>

/** Body of `POST /api/oidc/{slug}/trial`. */
export const TryProvider = z.object({ current_password: z.nullish(z.string().check(z.maxLength(1024))) })
export type TryProvider = z.infer<typeof TryProvider>

/** Response of that call: where the browser goes, or how it failed before that. */
export const TrialBegun = z.object({ location: z.exactOptional(z.url()), trial: z.exactOptional(SignInTrial) })
export type TrialBegun = z.infer<typeof TrialBegun>

/** Body of `POST /api/directories/{slug}/trial`. */
export const TryDirectory = z.object({
  username: z.string().check(z.minLength(1), z.maxLength(1024)),
  /** Not checked without one. */
  password: z.nullish(z.string().check(z.maxLength(1024))),
  current_password: z.nullish(z.string().check(z.maxLength(1024))),
})
export type TryDirectory = z.infer<typeof TryDirectory>
