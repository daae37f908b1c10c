import * as z from 'zod/mini'
import { Time } from './time.ts'

/** The recorded actions. To add one, add a line here and a text `audit.action.…`. */
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
  'purge',
  'trash.restore',
  'trash.expire',
  'version.restore',
  'version.remove',
  'version.expire',
  'undo',
  'integrity.finding',
  'archive',
  'extract',
  'command',
  'lock',
  'unlock',
  'lock.break',
  'office.open',
  'share.add',
  'share.change',
  'share.invite',
  'share.remove',
  'share.rebind',
  'grant.add',
  'grant.change',
  'grant.remove',
  'user.add',
  'user.change',
  'user.remove',
  'user.export',
  'group.add',
  'group.change',
  'group.remove',
  'group.member',
  'mount.add',
  'mount.change',
  'root.change',
  'mount.remove',
  'mount.access',
  'settings.change',
  'token.add',
  'token.change',
  'token.remove',
  'factor.add',
  'factor.change',
  'factor.remove',
  'identity.link',
  'identity.unlink',
  'webhook.add',
  'webhook.change',
  'webhook.remove',
  'tag.change',
  'tag.set',
  'note.set',
  'comment.add',
  'comment.change',
  'comment.remove',
  'audit.export',
  'audit.prune',
  'audit.gap',
  'console',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/**
 * How the actor was authenticated: a session begun by password, proxy, login hook, OpenID provider, LDAP directory, passkey or without authentication; a
 * session's token in the URL; a personal API token; WebDAV, by a token or a password; a share link; the host's console; or the server itself.
 */
export const AUDIT_WAYS = [
  'session',
  'proxy',
  'hook',
  'noauth',
  'oidc',
  'passkey',
  'ldap',
  'token',
  'apitoken',
  'dav',
  'share',
  'console',
  'server',
] as const
export type AuditWay = (typeof AUDIT_WAYS)[number]

/** A row of the audit log. */
export const AuditRow = z.object({
  /** Incremented by one. */
  id: z.int(),
  /** RFC 3339. */
  time: Time,
  /** 0 without a known user. */
  userID: z.int(),
  /** The user's name at that time; on the console the host's account. */
  username: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  /** `done`, or the error code as in the header `X-Error-Code`. */
  outcome: z.string(),
  way: z.enum(AUDIT_WAYS),
  address: z.string(),
  /** In the served folder, whatever the user’s scope; empty for actions without a file. */
  path: z.string(),
  /** The destination, or the subject of the action. */
  target: z.string(),
  /** Hash of the row and the previous row's hash. */
  hash: z.string(),
  /** In lists: the id of the recorded change that the action was, as long as it is recorded. */
  change: z.exactOptional(z.string()),
})
export type AuditRow = z.infer<typeof AuditRow>

/** Response of `GET /api/audit`: the newest first. */
export const AuditPage = z.object({
  rows: z.array(AuditRow),
  /** Whether there are older rows. */
  more: z.boolean(),
})
export type AuditPage = z.infer<typeof AuditPage>

/** Default number of rows per response. */
export const AUDIT_PAGE = 200
