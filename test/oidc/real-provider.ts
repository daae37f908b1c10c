import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { CLIENT } from './client.ts'

const PROGRAM = fileURLToPath(new URL('real-provider-process.mjs', import.meta.url))

/** `oidc-provider`, a certified implementation, in a process of its own. Any name signs in there, with any password. */
export interface RealProvider {
  issuer: string
  /** Registers a server as the client, once its address is known. */
  register(server: { url: string }): Promise<void>
  stop(): Promise<void>
}

export async function startRealProvider(): Promise<RealProvider> {
  const { clientId, clientSecret } = CLIENT
  const child = fork(PROGRAM, [clientId, clientSecret], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }]
  return {
    issuer,
    async register({ url }) {
      child.send({ issuer, url })
      await once(child, 'message')
    },
    stop: () => end(child),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}
