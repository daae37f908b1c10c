import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { VERSION } from '../version.ts'

/** Upper bounds of the histogram of answers, in seconds. */
const BOUNDS = [0.005, 0.025, 0.1, 0.25, 1, 5, 30, 120]
/** Of the event loop's delay. */
const QUANTILES = [0.5, 0.99, 1]
const NANOSECONDS = 1e9

/** An answer, as Prometheus groups it. */
interface Answer {
  method: string
  /** The pattern of the route, not the path: there are few. */
  route: string
  status: number
}

export interface Metrics {
  /** The media type of the text. */
  readonly type: string
  /** All numbers since the start; no file of a user is touched for them. */
  text(): Promise<string>
  count(answer: Answer, seconds: number): void
  close(): void
}

/** The metrics of an app, and those of its process and runtime: memory, garbage collection, handles. */
export function createMetrics(app: FastifyInstance): Metrics {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const info = new Gauge({ name: 'filigree_info', help: 'The release that runs.', labelNames: ['version'], registers })
  info.set({ version: VERSION }, 1)
  const closeDelay = offerDelay(registers)
  offerConnections(app, registers)
  const requests = new Counter({
    name: 'filigree_http_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'filigree_http_request_duration_seconds',
    help: 'Seconds from a request to the end of its answer.',
    buckets: BOUNDS,
    registers,
  })
  return {
    type: register.contentType,
    text: () => register.metrics(),
    count(answer, took) {
      requests.inc({ ...answer })
      seconds.observe(took)
    },
    close: closeDelay,
  }
}

function offerDelay(registers: Registry[]): () => void {
  const delay = monitorEventLoopDelay()
  delay.enable()
  new Gauge({
    name: 'filigree_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last look.',
    labelNames: ['quantile'],
    registers,
    collect() {
      for (const quantile of QUANTILES) this.set({ quantile }, delay.percentile(quantile * 100) / NANOSECONDS)
      delay.reset()
    },
  })
  return () => void delay.disable()
}

function offerConnections({ server }: FastifyInstance, registers: Registry[]): void {
  new Gauge({
    name: 'filigree_connections',
    help: 'Connections that are open.',
    registers,
    async collect() {
      const count = await new Promise<number>(resolve => server.getConnections((_error, found = 0) => resolve(found)))
      this.set(count)
    },
  })
}
