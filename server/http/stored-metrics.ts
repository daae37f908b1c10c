import { Gauge, type Registry } from 'prom-client'
import { type Counted, type Counts, countStored } from '../features/diagnostics/counts.store.ts'

type Db = Parameters<typeof countStored>[0]
type Sample = [count: number, labels?: Record<string, string>]

const byLabel = (label: string, counts: Counts, more: Record<string, string> = {}): Sample[] =>
  Object.entries(counts).map(([value, count]) => [count, { ...more, [label]: value }])

interface Stored {
  name: string
  help: string
  labels?: string[]
  samples(counted: Counted): Sample[]
}

const STORED: readonly Stored[] = [
  {
    name: 'filigree_jobs',
    help: 'Jobs that have not ended.',
    labels: ['state'],
    samples: ({ jobs }) => byLabel('state', jobs),
  },
  {
    name: 'filigree_locks',
    help: 'Locks of files and folders.',
    labels: ['via'],
    samples: ({ locks }) => byLabel('via', locks),
  },
  {
    name: 'filigree_deliveries',
    help: 'Mails and calls of webhooks, waiting or given up.',
    labels: ['kind', 'state'],
    samples: ({ webhooks, mails }) => [
      ...byLabel('state', webhooks, { kind: 'webhook' }),
      ...byLabel('state', mails, { kind: 'mail' }),
    ],
  },
  {
    name: 'filigree_quota_bytes',
    help: 'Bytes in the homes of users with a quota, and those reserved for running writes.',
    labels: ['what'],
    samples: ({ quota }) => byLabel('what', quota),
  },
  {
    name: 'filigree_sessions',
    help: 'Sessions of browsers that have not ended.',
    samples: ({ sessions }) => [[sessions]],
  },
  {
    name: 'filigree_api_tokens',
    help: 'API tokens that have not ended.',
    samples: ({ tokens }) => [[tokens]],
  },
  {
    name: 'filigree_uploads_open',
    help: 'Resumable uploads that have not ended.',
    samples: ({ uploads }) => [[uploads]],
  },
]

/** What the database holds, the same on every server of a database; one reading serves all gauges of a scrape. */
export function offerStored(registers: Registry[], db: Db): void {
  let reading: Promise<Counted | undefined> | undefined
  const read = () => {
    reading ??= countStored(db, Date.now())
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  new Gauge({
    name: 'filigree_database_up',
    help: 'Whether the database answered this scrape.',
    registers,
    async collect() {
      this.set((await read()) ? 1 : 0)
    },
  })
  for (const { name, help, labels: labelNames = [], samples } of STORED)
    offer(registers, { name, help, labelNames, samples }, read)
}

function offer(
  registers: Registry[],
  { samples, ...named }: { name: string; help: string; labelNames: string[] } & Pick<Stored, 'samples'>,
  read: () => Promise<Counted | undefined>,
): void {
  new Gauge({
    ...named,
    registers,
    async collect() {
      const counted = await read()
      this.reset()
      // Without labels the reset leaves 0, which is no count.
      if (!counted && named.labelNames.length === 0) this.remove()
      for (const [count, labels = {}] of counted ? samples(counted) : []) this.set(labels, count)
    },
  })
}
