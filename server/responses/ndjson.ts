import type { FastifyReply, FastifyRequest } from 'fastify'

/** How many folders could not be read, counted while an answer is made. */
export interface Unread {
  unread: number
}

/** How things are put into a body one after the other; blank lines between them mean nothing in either. */
export interface SeveralFormat {
  type: string
  start: string
  between: string
  after: string
  end(count: Unread): string
}

export const FORMATS = {
  array: { type: 'application/json; charset=utf-8', start: '[', between: ',', after: '', end: () => ']' },
  lines: {
    type: 'application/x-ndjson; charset=utf-8',
    start: '',
    between: '',
    after: '\n',
    end: ({ unread }) => (unread > 0 ? `${JSON.stringify({ unread })}\n` : ''),
  },
  /** For readers that expect an item on every line. */
  bareLines: { type: 'application/x-ndjson; charset=utf-8', start: '', between: '', after: '\n', end: () => '' },
} as const satisfies Record<string, SeveralFormat>

/** What a description says of the two. */
export const SEVERAL = {
  accept:
    '`application/x-ndjson` asks for one a line; a last line `{"unread": 2}` tells of folders that could not be read.',
  type: [FORMATS.array.type, FORMATS.lines.type],
  unread: 'The trailer `X-Unread` tells how many folders could not be read.',
} as const

/** The form that `Accept` names; `otherwise` if it names none. */
export function formatFor(
  { headers: { accept = '' } }: Pick<FastifyRequest, 'headers'>,
  otherwise: SeveralFormat = FORMATS.array,
): SeveralFormat {
  if (accept.includes('application/x-ndjson')) return FORMATS.lines
  return accept.includes('application/json') ? FORMATS.array : otherwise
}

/** Says behind the answer, where HTTP has a place for that, what an array cannot say: that something is missing in it. */
export function tellUnread({ raw }: FastifyRequest, reply: FastifyReply, count: Unread): void {
  if (raw.httpVersion === '1.1') reply.trailer('x-unread', async () => String(count.unread))
}
