import { SANDBOX_LIMITS } from './bubblewrap.ts'
import { childrenOf, familyOf } from './process-tree.ts'

/** Milliseconds between two checks of resource usage. */
const LOOK_EVERY = 250

/** The processes of one sandbox: its first process, and all descendants. */
export class SandboxProcesses {
  readonly #outside: number | undefined

  /** @param outside the outer process of bubblewrap; its only child is the first process inside */
  constructor(outside: number | undefined) {
    this.#outside = outside
  }

  /**
   * Notifies when the sandbox exceeds its total limits: the system's limits apply per process, and exempt processes of
   * root.
   * @returns stops the monitoring
   */
  watch(onExceeded: (why: 'memory' | 'tasks') => void): () => void {
    const look = async () => {
      const { tasks, bytes } = await this.#family()
      if (tasks > SANDBOX_LIMITS.tasks) onExceeded('tasks')
      else if (bytes > SANDBOX_LIMITS.memory) onExceeded('memory')
    }
    const timer = setInterval(() => void look(), LOOK_EVERY)
    return () => clearInterval(timer)
  }

  /** Sends SIGTERM to all but the first; when the program has ended, the first ends, too, and with it all others. */
  async askToEnd(): Promise<void> {
    const { pids } = await this.#family()
    send('SIGTERM', pids.slice(1))
  }

  /** Sends SIGKILL to all. */
  async end(): Promise<void> {
    const { pids } = await this.#family()
    send('SIGKILL', pids.slice(0, 1))
  }

  async #family() {
    const [first] = this.#outside === undefined ? [] : await childrenOf(this.#outside)
    return first === undefined ? { pids: [], tasks: 0, bytes: 0 } : familyOf(first, SANDBOX_LIMITS.tasks)
  }
}

function send(signal: NodeJS.Signals, pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended already.
    }
  }
}
