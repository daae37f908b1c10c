import type { Finding } from '../../../shared/api/diagnostics.ts'

/** Milliseconds after the last refusal in which it is a finding. */
const SHOWN_FOR = 86_400_000

/** Requests of WebDAV that this process refused because they came over plain HTTP, for the diagnostics. */
export class PlainRefusals {
  #count = 0
  #last: { address: string; at: number } | undefined

  note(address: string): void {
    this.#count = this.#recent() ? this.#count + 1 : 1
    this.#last = { address, at: Date.now() }
  }

  /** Nothing once none was refused for a day. */
  async findings(): Promise<Finding[]> {
    const last = this.#recent()
    return last ? [{ code: 'davRefused', what: last.address, amount: this.#count }] : []
  }

  #recent() {
    return this.#last && Date.now() - this.#last.at < SHOWN_FOR ? this.#last : undefined
  }
}
