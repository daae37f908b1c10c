import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OwnServer } from '../api/harness.ts'

/** What the front answers for the service worker: that of the build, that of another build, or a script. */
type Worker = 'own' | 'other' | { script: string }

const CONDITIONS = ['if-none-match', 'if-modified-since', 'accept-encoding']

/** An address before a server at which the service worker is chosen; it can strip the base URL, as proxies do. */
export class WorkerFront {
  url = ''
  worker: Worker = 'own'
  readonly #target: Pick<OwnServer, 'host' | 'port' | 'base'>
  readonly #server = createServer((asked, answer) => {
    const { url = '', method } = asked
    const headers = { ...asked.headers }
    // The whole script, also where the browser has another.
    if (url.endsWith('/sw.js')) for (const name of CONDITIONS) delete headers[name]
    const { host, port, base } = this.#target
    const stripped = this.#strips && url.startsWith(`${base}/`) ? url.slice(base.length) : url
    const passed = request({ host, port, path: stripped, method, headers }, found => {
      if (url === `${base}/sw.js` && this.worker !== 'own') return void this.#answerWorker(found, answer)
      answer.writeHead(found.statusCode ?? 0, found.rawHeaders)
      found.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  readonly #strips: boolean

  private constructor(target: Pick<OwnServer, 'host' | 'port' | 'base'>, strips: boolean) {
    this.#target = target
    this.#strips = strips
  }

  /** @param strips whether the base URL is left out before the server */
  static async before(target: Pick<OwnServer, 'host' | 'port' | 'base'>, strips = false): Promise<WorkerFront> {
    const front = new WorkerFront(target, strips)
    await new Promise<void>(resolve => front.#server.listen(0, '127.0.0.1', resolve))
    const { port } = front.#server.address() as AddressInfo
    front.url = `http://127.0.0.1:${port}${target.base}`
    return front
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #answerWorker(found: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { worker } = this
    const pieces = await found.toArray()
    const text = Buffer.concat(pieces).toString()
    // The hash of the build is the only one in the worker.
    const script = typeof worker === 'object' ? worker.script : text.replace(/\b[0-9a-f]{16}\b/, 'f'.repeat(16))
    const type = { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-cache' }
    answer.writeHead(200, type).end(script)
  }
}

/** The build that the caches of the app are of. */
export const OTHER_BUILD = 'f'.repeat(16)
