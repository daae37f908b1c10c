import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { VERSION } from '../version.ts'

/** Upper bounds of the histogram of answers, in seconds. */
const BOUNDS = [0.005, 0.025, 0.1, 0.25, 1, 5, 30, 120] as const
const NANOSECONDS = 1e9
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Delay = ReturnType<typeof monitorEventLoopDelay>

/** Numbers since the start; no disk is touched for them. */
interface Counted {
  /** Answers by their labels. */
  answers: Map<string, number>
  /** Answers that took no longer than each of the bounds. */
  within: number[]
  seconds: number
  count: number
}

/**
 * Counts the answers of an app, and tells Prometheus on a listener of its own: whoever reaches the files does not reach
 * that. To be called before routes are added.
 * @throws AppError `unavailable` from the start of the app, when nothing can listen there
 */
export function offerMetrics(app: FastifyInstance, { host, port }: NonNullable<Config['metrics']>): void {
  const counted: Counted = { answers: new Map(), within: BOUNDS.map(() => 0), seconds: 0, count: 0 }
  const delay = monitorEventLoopDelay()
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (!isAsked) return void response.writeHead(404, { 'Content-Type': TYPE }).end()
    app.server.getConnections((_error, connections = 0) => {
      response.writeHead(200, { 'Content-Type': TYPE }).end(toText(counted, delay, connections))
    })
  })
  app.addHook('onResponse', async ({ method }, { statusCode, elapsedTime }) => {
    count(counted, `method="${method}",status="${statusCode}"`, elapsedTime / 1000)
  })
  app.addHook('onReady', async () => {
    delay.enable()
    await listen(server, host, port)
    const { address, port: taken } = server.address() as AddressInfo
    app.log.info({ address, port: taken }, 'metrics are told at /metrics')
  })
  app.addHook('onClose', async () => {
    delay.disable()
    server.close()
    server.closeAllConnections()
  })
}

function count(counted: Counted, labels: string, seconds: number): void {
  counted.answers.set(labels, (counted.answers.get(labels) ?? 0) + 1)
  counted.within = counted.within.map((before, index) => before + (seconds <= (BOUNDS[index] ?? 0) ? 1 : 0))
  counted.seconds += seconds
  counted.count += 1
}

/** The text format of Prometheus (version 0.0.4). */
function toText({ answers, within, seconds, count }: Counted, delay: Delay, connections: number): string {
  const lines = [
    ...metric('filigree_info', 'gauge', 'The release that runs.', [[`{version="${VERSION}"}`, 1]]),
    ...processMetrics(),
    ...metric('filigree_event_loop_delay_seconds', 'gauge', 'Delay of the event loop since the last look.', [
      ['{quantile="0.5"}', delay.percentile(50) / NANOSECONDS],
      ['{quantile="0.99"}', delay.percentile(99) / NANOSECONDS],
      ['{quantile="1"}', delay.max / NANOSECONDS],
    ]),
    ...metric('filigree_connections', 'gauge', 'Connections that are open.', [['', connections]]),
    ...metric(
      'filigree_http_requests_total',
      'counter',
      'Requests that were answered.',
      [...answers].map(([labels, times]): Sample => [`{${labels}}`, times]),
    ),
    ...metric(
      'filigree_http_request_duration_seconds',
      'histogram',
      'Seconds from a request to the end of its answer.',
      [
        ...BOUNDS.map((bound, index): Sample => [`_bucket{le="${bound}"}`, within[index] ?? 0]),
        ['_bucket{le="+Inf"}', count],
        ['_sum', seconds],
        ['_count', count],
      ],
    ),
  ]
  delay.reset()
  return `${lines.join('\n')}\n`
}

/** What stands behind the name of a metric, and its value. */
type Sample = [suffix: string, value: number]

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([suffix, value]) => `${name}${suffix} ${value}`),
  ]
}

function processMetrics(): string[] {
  const { user, system } = process.cpuUsage()
  const started = Date.now() / 1000 - process.uptime()
  return [
    ...metric('process_start_time_seconds', 'gauge', 'When the server was started, in seconds since 1970.', [
      ['', started],
    ]),
    ...metric('process_cpu_seconds_total', 'counter', 'Seconds of processor time.', [['', (user + system) / 1e6]]),
    ...metric('process_resident_memory_bytes', 'gauge', 'Memory in use.', [['', process.memoryUsage.rss()]]),
  ]
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentence = `Metrics cannot be told at ${host}:${port} (${error.code}). Name another place with --metrics.`
      reject(new AppError('unavailable', sentence))
    })
    server.listen(port, host)
  })
}
