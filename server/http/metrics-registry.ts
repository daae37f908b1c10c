import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AnswerDeps } from '../features/audit/answers.ts'
import type { Source } from '../features/identities/sources.ts'
import { VERSION } from '../version.ts'
import { offerProviders } from './provider-metrics.ts'
import { offerStored } from './stored-metrics.ts'

/** Upper bounds of the response-time histogram, in seconds. */
const BOUNDS = [0.005, 0.025, 0.1, 0.25, 1, 5, 30, 120]
/** Of the event loop's delay. */
const PERCENTILES = [50, 99, 100]
const NANOSECONDS = 1e9

/** Labels of a response in Prometheus. */
interface Answer {
  method: string
  /** The route's pattern, not the path, which limits the number of series. */
  route: string
  status: number
}

/** What counts the files that were read again, and those that are not what they were. */
interface Checked {
  scrub: { read: Readonly<{ files: number; bytes: number }> }
  sums: { found: Readonly<Record<string, number>> }
}

/** What is measured besides the process. */
export interface Measured {
  integrity: Checked
  db: Parameters<typeof offerStored>[1]
  /** OpenID providers and directories. */
  sources: readonly Source[]
}

export interface Metrics {
  /** The media type of the exposition format. */
  readonly type: string
  /** All metrics since the start; collecting them reads no files of users. */
  text(): Promise<string>
  count(answer: Answer, seconds: number): void
  /** A sign-in, or a step of one, that was let in or refused. */
  countLogin: NonNullable<AnswerDeps['countLogin']>
  close(): void
}

/** The metrics of an app, its process and the runtime: memory, garbage collection, handles. */
export function createMetrics(app: FastifyInstance, { integrity, db, sources }: Measured): Metrics {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const info = new Gauge({ name: 'filigree_info', help: 'The running release.', labelNames: ['version'], registers })
  info.set({ version: VERSION }, 1)
  const closeDelay = offerDelay(registers)
  offerConnections(app, registers)
  offerChecks(registers, integrity)
  offerProviders(registers, sources)
  offerStored(registers, db)
  const requests = new Counter({
    name: 'filigree_http_requests_total',
    help: 'Completed requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'filigree_http_request_duration_seconds',
    help: 'Seconds from a request to the end of its response.',
    buckets: BOUNDS,
    registers,
  })
  const logins = new Counter({
    name: 'filigree_logins_total',
    help: 'Sign-ins, let in and refused.',
    labelNames: ['way', 'outcome'],
    registers,
  })
  return {
    type: register.contentType,
    text: () => register.metrics(),
    count(answer, took) {
      requests.inc({ ...answer })
      seconds.observe(took)
    },
    countLogin({ way, outcome }) {
      logins.inc({ way, outcome })
    },
    close: closeDelay,
  }
}

function offerDelay(registers: Registry[]): () => void {
  const delay = monitorEventLoopDelay()
  delay.enable()
  new Gauge({
    name: 'filigree_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last scrape.',
    labelNames: ['percentile'],
    registers,
    collect() {
      for (const percentile of PERCENTILES) this.set({ percentile }, delay.percentile(percentile) / NANOSECONDS)
      delay.reset()
    },
  })
  return () => void delay.disable()
}

function offerConnections({ server }: FastifyInstance, registers: Registry[]): void {
  new Gauge({
    name: 'filigree_connections',
    help: 'Open connections.',
    registers,
    async collect() {
      const count = await new Promise<number>(resolve => server.getConnections((_error, found = 0) => resolve(found)))
      this.set(count)
    },
  })
}

function offerChecks(registers: Registry[], { scrub, sums }: Checked): void {
  const offer = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  offer('filigree_scrub_files', 'Files that were read again since the start.', () => scrub.read.files)
  offer('filigree_scrub_bytes', 'Bytes that were read again since the start.', () => scrub.read.bytes)
  new Gauge({
    name: 'filigree_integrity_findings',
    help: 'Findings about files since the start.',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const [kind, count] of Object.entries(sums.found)) this.set({ kind }, count)
    },
  })
}
