import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { CLIENT } from './client.ts'

const PROGRAM = fileURLToPath(new URL('real-provider-process.mjs', import.meta.url))

/** `oidc-provider`, a certified implementation, in a process of its own. Any name signs in there, with any password. */
export interface RealProvider {
  issuer: string
  /** The groups of all users from now on; `staff` at first. */
  setGroups(groups: readonly string[]): void
  /** Registers a server as the client, once its address is known. */
  register(server: { url: string }): Promise<void>
  /**
   * What a browser without a session there does with the address to which a sign-in leads.
   * @param who `amr`: the methods, with spaces; `username`: the name of the user from now on
   * @returns where it is sent back
   */
  signIn(location: URL, who: { name: string; username?: string; amr?: string }): Promise<URL>
  stop(): Promise<void>
}

export async function startRealProvider(): Promise<RealProvider> {
  const { clientId, clientSecret } = CLIENT
  const child = fork(PROGRAM, [clientId, clientSecret], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }]
  return {
    issuer,
    setGroups: groups => void child.send({ groups }),
    async register({ url }) {
      child.send({ issuer, url })
      await once(child, 'message')
    },
    signIn: (location, who) => signIn(new URL(issuer), location, new URLSearchParams(who)),
    stop: () => end(child),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

async function signIn({ origin }: URL, location: URL, form: URLSearchParams): Promise<URL> {
  const cookies = new Map<string, string>()
  for (let address = location; ; ) {
    if (address.origin !== origin) return address
    const isForm = address.pathname.startsWith('/interaction/')
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(pair => pair.join('=')).join('; ') },
      ...(isForm && { method: 'POST', body: form }),
    })
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${address.pathname}: ${answer.status} ${await answer.text()}`)
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    address = new URL(next, address)
  }
}
