import { execFile } from 'node:child_process'

/** The service manager that started the server. */
export interface Supervisor {
  /** The server accepts requests. @param status one line for `systemctl status` */
  ready(status: string): void
  /** The server accepts no more requests. */
  stopping(): void
}

/**
 * Notifies systemd as in sd_notify(3), with a watchdog ping twice per interval. Uses `systemd-notify`, since Node has no Unix
 * datagram sockets. Does nothing without systemd.
 */
export function openSupervisor(environment: Readonly<Record<string, string>>): Supervisor {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, PATH = '/usr/bin:/bin' } = environment
  if (!NOTIFY_SOCKET) return { ready() {}, stopping() {} }
  const notify = (...words: string[]) => {
    execFile('systemd-notify', words, { env: { NOTIFY_SOCKET, PATH } }, error => {
      if (error) console.error(`systemd-notify ${words[0]} failed: ${error.message.trim()}`)
    })
  }
  const interval = Number(WATCHDOG_USEC) / 1000
  return {
    ready(status) {
      notify('READY=1', `STATUS=${status}`)
      if (interval > 0) setInterval(notify, interval / 2, 'WATCHDOG=1').unref()
    },
    stopping: () => notify('STOPPING=1'),
  }
}
