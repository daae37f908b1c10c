import { SANDBOX_LIMITS } from './bubblewrap.ts'
import { childrenOf, familyOf } from './process-tree.ts'

/** Milliseconds between two looks at what those inside use. */
const LOOK_EVERY = 250

/** Those who run in one sandbox: its first process, and all that come from it. */
export class Insiders {
  readonly #outside: number | undefined

  /** @param outside the process of bubblewrap that waits outside; its only child is the first one inside */
  constructor(outside: number | undefined) {
    this.#outside = outside
  }

  /**
   * Tells when they use more than they may together: the limits that the system keeps are those of each process, and
   * it does not count the processes of root at all.
   * @returns ends the watch
   */
  watch(tell: (why: 'memory' | 'tasks') => void): () => void {
    const look = async () => {
      const { tasks, bytes } = await this.#family()
      if (tasks > SANDBOX_LIMITS.tasks) tell('tasks')
      else if (bytes > SANDBOX_LIMITS.memory) tell('memory')
    }
    const timer = setInterval(() => void look(), LOOK_EVERY)
    return () => clearInterval(timer)
  }

  /** Asks all but the first to end; when the program has done so, the first ends, too, and takes along who is left. */
  async askToEnd(): Promise<void> {
    const { pids } = await this.#family()
    send('SIGTERM', pids.slice(1))
  }

  /** Ends everybody. */
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
