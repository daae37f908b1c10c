import { LISTED_VISITS } from '../shared/limits.ts'

/** The limits of share links: a part of `LIMIT_TABLE`. */
export const LINK_LIMITS = {
  linkEvents: {
    value: LISTED_VISITS,
    unit: 'count',
    what: 'Visits and downloads listed of a share link',
    beyond: 'forgotten',
  },
  shareTicket: {
    value: 3600,
    unit: 's',
    what: 'Lifetime of a download ticket of a share link with a password',
    beyond: '401',
  },
  begunDownload: {
    value: 6 * 3600,
    unit: 's',
    what: 'Time in which a download of a share link with a limit may be resumed',
    beyond: 'counted again',
  },
} as const
