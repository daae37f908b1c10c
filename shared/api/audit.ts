import * as z from 'zod/mini'

/** What is written down. A new one is a line here and a text `audit.action.…`. */
export const AUDIT_ACTIONS = [
  'login',
  'logout',
  'signup',
  'session.end',
  'read',
  'download',
  'share.open',
  'upload',
  'save',
  'folder',
  'copy',
  'move',
  'delete',
  'archive',
  'extract',
  'command',
  'share.add',
  'share.remove',
  'share.rebind',
  'user.add',
  'user.change',
  'user.remove',
  'settings.change',
  'audit.export',
  'audit.prune',
  'audit.gap',
  'console',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/**
 * By which way somebody came in: with a session begun by password, proxy or login hook, or where no sign-in is asked
 * for; with a session's token in the address; by a link; at the host's console; or the server itself.
 */
export const AUDIT_WAYS = ['session', 'proxy', 'hook', 'noauth', 'token', 'share', 'console', 'server'] as const
export type AuditWay = (typeof AUDIT_WAYS)[number]

/** One line of the audit log. */
export const AuditRow = z.object({
  /** Counts up by one. */
  id: z.int(),
  /** RFC 3339. */
  time: z.string(),
  /** 0 where nobody is known. */
  userID: z.int(),
  /** What the user was called then; on the console the account of the host. */
  username: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  /** `done`, or the code of the refusal as in the header `X-Error-Code`. */
  outcome: z.string(),
  way: z.enum(AUDIT_WAYS),
  address: z.string(),
  /** In the served folder, whatever the user’s scope; empty where it is about no file. */
  path: z.string(),
  /** Where it went, or whom or what it was about. */
  target: z.string(),
  /** Digest over the row and the hash of the one before. */
  hash: z.string(),
})
export type AuditRow = z.infer<typeof AuditRow>

/** Answer of `GET /api/audit`: the newest first. */
export const AuditPage = z.object({
  rows: z.array(AuditRow),
  /** Whether there are older ones. */
  more: z.boolean(),
})
export type AuditPage = z.infer<typeof AuditPage>

/** Rows of one answer, unless fewer are asked for. */
export const AUDIT_PAGE = 200
