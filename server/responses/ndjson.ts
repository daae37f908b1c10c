import type { FastifyReply, FastifyRequest } from 'fastify'

/** The number of unreadable folders, counted while the response is made. */
export interface Unread {
  unread: number
}

/** How items are joined in a body; blank lines between them are insignificant in both forms. */
export interface SeveralFormat {
  type: string
  start: string
  between: string
  after: string
  end(count: Unread): string
  item(value: unknown): string
  /** Insignificant text that shows that the work continues. */
  beat: string
  /** The bytes of a text, where they are not its UTF-8. */
  encode?(text: string): Uint8Array
}

const JSON_ITEMS = { item: JSON.stringify, beat: '\n' } as const

export const FORMATS = {
  array: {
    ...JSON_ITEMS,
    type: 'application/json; charset=utf-8',
    start: '[',
    between: ',',
    after: '',
    end: () => ']',
  },
  lines: {
    ...JSON_ITEMS,
    type: 'application/x-ndjson; charset=utf-8',
    start: '',
    between: '',
    after: '\n',
    end: ({ unread }) => (unread > 0 ? `${JSON.stringify({ unread })}\n` : ''),
  },
  /** For clients that expect an item on every line. */
  bareLines: {
    ...JSON_ITEMS,
    type: 'application/x-ndjson; charset=utf-8',
    start: '',
    between: '',
    after: '\n',
    end: () => '',
  },
} as const satisfies Record<string, SeveralFormat>

/** Both media types in the API description. */
export const SEVERAL = {
  accept:
    '`application/x-ndjson` requests one per line; a last line `{"unread": 2}` counts folders that could not be read.',
  type: [FORMATS.array.type, FORMATS.lines.type],
  unread: 'The trailer `X-Unread` has the number of folders that could not be read.',
} as const

/** The form that `Accept` names; `otherwise` if it names none. */
export function formatFor(
  { headers: { accept = '' } }: Pick<FastifyRequest, 'headers'>,
  otherwise: SeveralFormat = FORMATS.array,
): SeveralFormat {
  if (accept.includes('application/x-ndjson')) return FORMATS.lines
  return accept.includes('application/json') ? FORMATS.array : otherwise
}

/** Reports in a trailer, where HTTP has trailers, what an array cannot: that items are missing. */
export function reportUnread({ raw }: FastifyRequest, reply: FastifyReply, count: Unread): void {
  if (raw.httpVersion === '1.1') reply.trailer('x-unread', async () => String(count.unread))
}
