/** The limits of mail: a part of `LIMIT_TABLE`. */
export const MAIL_LIMITS = {
  mailReason: {
    value: 300,
    unit: 'count',
    what: 'Characters of an answer of the mail server that are kept',
    beyond: 'cut',
  },
  mailTime: { value: 60_000, unit: 'ms', what: 'Silence of the mail server', beyond: 'failed try' },
  mailConnect: { value: 15_000, unit: 'ms', what: 'Connection to the mail server', beyond: 'failed try' },
  mailsAtOnce: { value: 5, unit: 'count', what: 'Mails sent at once', beyond: 'queued' },
  mailsPerHour: { value: 2000, unit: 'count', what: 'Mails sent in an hour', beyond: 'sent later' },
  mailsWaiting: { value: 10_000, unit: 'count', what: 'Mails that wait', beyond: 'mail dropped' },
  mailsTo: {
    value: 5,
    unit: 'count',
    what: 'Links sent to one account or address in an hour',
    beyond: '429, or no mail',
  },
  mailTests: { value: 20, unit: 'count', what: 'Test mails of one administrator in an hour', beyond: '429' },
  resetsFrom: { value: 20, unit: 'count', what: 'Forgotten passwords of one network in an hour', beyond: '429' },
  mailLinkMisses: {
    value: 50,
    unit: 'count',
    what: 'Wrong links of mails from one network in an hour',
    beyond: '429',
  },
  resetTime: { value: 30 * 60_000, unit: 'ms', what: 'Link for a new password', beyond: 'ended' },
  verifyTime: { value: 24 * 3_600_000, unit: 'ms', what: 'Link that confirms an address', beyond: 'ended' },
  invitationTime: { value: 7 * 24 * 3_600_000, unit: 'ms', what: 'Link of an invitation', beyond: 'ended' },
  firstDigestTime: {
    value: 60_000,
    unit: 'ms',
    what: 'Wait of the first mail about a file request, for more that arrives',
    beyond: 'collected',
  },
  quotaWarningTime: {
    value: 10 * 60_000,
    unit: 'ms',
    what: 'Time between two looks for quotas that are nearly used up',
    beyond: 'seen later',
  },
  digestTime: {
    value: 15 * 60_000,
    unit: 'ms',
    what: 'Time between two mails about one file request',
    beyond: 'collected',
  },
} as const
