import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import { type Context, createContext, describeSandbox } from './context.ts'
import { buildApp } from './http/app.ts'
import { openLog } from './http/log.ts'
import type { TlsMaterial } from './http/tls.ts'
import { LIMITS } from './limits.ts'
import { collectWhenIdle } from './worker-memory.ts'

/** A listening server. */
export interface RunningServer {
  /** Its URL, with the base URL and a trailing slash. */
  url: string
  /** What programs of users and hooks run in, as a sentence for the console; nothing if programs are not allowed. */
  sandbox: string | undefined
  /**
   * Stops listening, lets running requests end, closes everything.
   * @param hurry abort it to stop waiting for running requests
   */
  stop(hurry?: AbortSignal): Promise<void>
}

/** The first administrator created by this start, with the password if it was generated. */
export type MadeAdmin = NonNullable<Awaited<ReturnType<Context['makeFirstAdmin']>>>

/**
 * Config → context → HTTP → listening.
 * @param announceAdmin called as soon as a first administrator was created, so that a password is shown even if listening
 *   fails
 * @param tls certificates for HTTPS
 * @throws AppError with a sentence for the console
 */
export async function start(
  config: Config,
  announceAdmin: (admin: MadeAdmin) => void,
  tls?: TlsMaterial,
): Promise<RunningServer> {
  const log = openLog(config)
  const context = await createContext(config, log)
  log.info({ root: config.root, confinement: context.confinement }, CONFINED_BY[context.confinement])
  log.info({ missing: context.kernelMissing }, context.kernelMissing === undefined ? KERNEL_CALLED : KERNEL_LEFT)
  const sandbox = config.disableExec ? undefined : describeSandbox(context.programs.sandbox)
  if (sandbox !== undefined) log[context.programs.sandbox.state === 'bubblewrap' ? 'info' : 'warn'](sandbox)
  const app = await buildApp(context, log, tls)
  app.server.on('request', collectWhenIdle())
  const stop = async (hurry?: AbortSignal) => {
    context.stopping.abort()
    const cut = () => app.server.closeAllConnections()
    const deadline = setTimeout(cut, LIMITS.shutdown)
    if (hurry?.aborted) cut()
    hurry?.addEventListener('abort', cut)
    // A kept-alive connection becomes idle only with its last response.
    const idle = setInterval(() => app.server.closeIdleConnections(), 100)
    await app.close()
    clearInterval(idle)
    clearTimeout(deadline)
    await context.close()
  }
  try {
    context.claim()
    await context.demandNoauthFlag()
    const admin = await context.makeFirstAdmin()
    if (admin) announceAdmin(admin)
    await app.listen(config.socket ? { path: config.socket } : { host: config.address, port: config.port })
    await context.rememberRoot()
    await context.startWork()
  } catch (error) {
    await stop()
    throw error
  }
  return { url: urlOf(app.server.address(), config), sandbox, stop }
}

/** The confinement in force, for the start-up log. */
const CONFINED_BY: Record<Context['confinement'], string> = {
  handles: 'paths are confined by handles: what is opened is what was checked',
  names:
    'paths are confined by names: this system has no /proc/self/fd, so a folder swapped for a link within microseconds could be followed',
}

const KERNEL_CALLED = 'the kernel is called directly: its self-test passed'
const KERNEL_LEFT = 'the kernel is called by way of the runtime only'

function urlOf(listening: AddressInfo | string | null, config: Config): string {
  if (typeof listening !== 'object' || !listening) return `unix:${config.socket}`
  const { address, port } = listening
  const everywhere = address === '0.0.0.0' || address === '::'
  const host = everywhere ? 'localhost' : address.includes(':') ? `[${address}]` : address
  return `${config.tls ? 'https' : 'http'}://${host}:${port}${config.baseURL}/`
}
