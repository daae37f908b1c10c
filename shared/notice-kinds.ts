/** Kinds of mails that users can switch off one by one. To add one, add a text `mail.notice.…`. */
export const NOTICE_KINDS = [
  'share.uploaded',
  'grant.received',
  'quota.warning',
  'job.failed',
  'job.done',
  'webhook.off',
  'mail.dead',
  'health.red',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** Those that only administrators get. */
export const FOR_ADMINISTRATORS: ReadonlySet<NoticeKind> = new Set(['mail.dead', 'health.red'])
