import { execFile } from 'node:child_process'

/** Who started the server and wants to know how it does. */
export interface Supervisor {
  /** The server answers. @param status a line for people */
  ready(status: string): void
  /** It takes no more requests. */
  stopping(): void
}

/**
 * Tells systemd how the server does, as sd_notify(3) says, and gives it a sign of life twice in the time it waits for one.
 * By its own `systemd-notify`: the runtime has no sockets of that kind. Without such a supervisor nothing happens.
 */
export function openSupervisor(environment: Readonly<Record<string, string>>): Supervisor {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, PATH = '/usr/bin:/bin' } = environment
  if (!NOTIFY_SOCKET) return { ready() {}, stopping() {} }
  const tell = (...words: string[]) => {
    execFile('systemd-notify', words, { env: { NOTIFY_SOCKET, PATH } }, error => {
      if (error) console.error(`systemd cannot be told ${words[0]}: ${error.message.trim()}`)
    })
  }
  const patience = Number(WATCHDOG_USEC) / 1000
  return {
    ready(status) {
      tell('READY=1', `STATUS=${status}`)
      if (patience > 0) setInterval(tell, patience / 2, 'WATCHDOG=1').unref()
    },
    stopping: () => tell('STOPPING=1'),
  }
}
