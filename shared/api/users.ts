import * as z from 'zod/mini'
import { PERMISSIONS } from '../permissions.ts'
import { SORT_FIELDS } from '../sorting.ts'
import { VIEW_MODES } from '../views.ts'
import { SortingAnswer } from './resources.ts'

export { VIEW_MODES, type ViewMode } from '../views.ts'

/** A rule allows or forbids paths; the last one that matches wins (http-api 16.1). */
export const Rule = z.object({
  regex: z.boolean(),
  allow: z.boolean(),
  path: z.string(),
  regexp: z.nullable(z.object({ raw: z.string() })),
})
export type Rule = z.infer<typeof Rule>

/** Permissions (http-api 15.3). */
export const PermissionsAnswer = z.record(z.enum(PERMISSIONS), z.boolean())

/** A user on the wire (http-api 15.4); `password` is always `''` in responses. */
export const User = z.object({
  id: z.int(),
  username: z.string(),
  password: z.string(),
  scope: z.string(),
  locale: z.string(),
  lockPassword: z.boolean(),
  viewMode: z.enum(VIEW_MODES),
  singleClick: z.boolean(),
  redirectAfterCopyMove: z.boolean(),
  perm: PermissionsAnswer,
  commands: z.array(z.string()),
  sorting: SortingAnswer,
  rules: z.array(Rule),
  hideDotfiles: z.boolean(),
  dateFormat: z.boolean(),
  aceEditorTheme: z.string(),
})
export type User = z.infer<typeof User>

/** Claims of the session token for the interface (http-api 2.4). For display only; never an authorization. */
export type TokenUser = Pick<
  User,
  | 'id'
  | 'locale'
  | 'viewMode'
  | 'singleClick'
  | 'redirectAfterCopyMove'
  | 'perm'
  | 'commands'
  | 'lockPassword'
  | 'hideDotfiles'
  | 'dateFormat'
  | 'username'
  | 'aceEditorTheme'
>

/** Maximum number of rules per user, or of global ones. */
export const MAX_RULES = 100
/** Maximum bytes of a regular expression in a rule. */
export const MAX_EXPRESSION_BYTES = 1024

const text = (longest: number) => z.nullish(z.string().check(z.maxLength(longest)))
const flag = z.nullish(z.boolean())

export const ViewModeInput = z.nullish(z.enum(['', ...VIEW_MODES]))
export const SortingInput = z.nullish(z.object({ by: z.nullish(z.enum(['', ...SORT_FIELDS])), asc: flag }))
export const PermissionsInput = z.nullish(
  z.object({
    admin: flag,
    execute: flag,
    create: flag,
    rename: flag,
    modify: flag,
    delete: flag,
    share: flag,
    download: flag,
  }),
)
export const RulesInput = z.nullish(
  z
    .array(
      z.object({
        regex: flag,
        allow: flag,
        path: text(4096),
        regexp: z.nullish(z.object({ raw: text(MAX_EXPRESSION_BYTES) })),
      }),
    )
    .check(z.maxLength(MAX_RULES)),
)

/** A user in requests: every field may be missing or null, which means its zero value (http-api 15.4). */
export const UserInput = z.object({
  id: z.nullish(z.int()),
  username: text(255),
  password: text(1024),
  scope: text(4096),
  locale: text(64),
  lockPassword: flag,
  viewMode: ViewModeInput,
  singleClick: flag,
  redirectAfterCopyMove: flag,
  perm: PermissionsInput,
  commands: z.nullish(z.array(z.string().check(z.maxLength(1024))).check(z.maxLength(1000))),
  sorting: SortingInput,
  rules: RulesInput,
  hideDotfiles: flag,
  dateFormat: flag,
  aceEditorTheme: text(64),
})
export type UserInput = z.infer<typeof UserInput>

/** Body of `POST /api/users` and `PUT /api/users/{id}` (http-api 11). */
export const UserRequest = z.object({
  what: z.literal('user'),
  /** The fields to take from `data`; none, or `all`, means all. */
  which: z.nullish(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(64))),
  data: UserInput,
  /** The caller's own password. */
  current_password: text(1024),
})
export type UserRequest = z.infer<typeof UserRequest>

/** Body of `PUT /api/users/{id}/disabled` (http-api 49). */
export const DisableRequest = z.object({ disabled: z.boolean(), current_password: text(1024) })
export type DisableRequest = z.infer<typeof DisableRequest>

/** An account that is disabled, in `GET /api/users/disabled` (http-api 49). */
export const DisabledUser = z.object({
  /** Of the user. */
  id: z.int(),
  /** A directory enables again what it disabled, and never what an administrator did. */
  by: z.enum(['admin', 'directory']),
})
export type DisabledUser = z.infer<typeof DisabledUser>

/** Body of `PUT /api/users/{id}/home` (http-api 50): the folder of the scope, or no folder of the user's own. */
export const HomeRequest = z.object({ home: z.enum(['scope', 'none']) })
export type HomeRequest = z.infer<typeof HomeRequest>

/** Body of `DELETE /api/users/{id}`; optional. */
export const UserRemoval = z.nullable(z.object({ current_password: text(1024) }))
export type UserRemoval = z.infer<typeof UserRemoval>
