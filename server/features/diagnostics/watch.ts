import { type Finding, stateOf } from '../../../shared/api/diagnostics.ts'
import { LIMITS } from '../../limits.ts'
import { checkFolder } from './host.ts'
import { notedFindings, type Parts } from './noted.ts'

export interface WatchDeps {
  parts: Parts
  /** Folders of the host that must be writable. */
  folders: readonly string[]
  /** Receives the errors when there are others than at the last look. Must not reject. */
  onErrors(errors: readonly Finding[]): Promise<void>
  log: { error(facts: object, text: string): void }
}

/** Looks for errors of the diagnostics from time to time, so that administrators need not. */
export class HealthWatch {
  readonly #deps: WatchDeps
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #known: ReadonlySet<string> = new Set()

  constructor(deps: WatchDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), LIMITS.healthLook).unref()
  }

  /** Ends when a look under way has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** Looks once; a look under way is not repeated. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(error => this.#deps.log.error({ err: error }, 'the diagnostics could not be made'))
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { parts, folders, onErrors } = this.#deps
    const found = [...folders.map(checkFolder), ...(await notedFindings(parts))]
    const errors = found.filter(finding => stateOf(finding) === 'wrong')
    const names = errors.map(({ code, what = '' }) => `${code} ${what}`)
    const isNews = names.some(name => !this.#known.has(name))
    this.#known = new Set(names)
    if (isNews) await onErrors(errors)
  }
}
