import { isIPv6 } from 'node:net'
import { Attempts, type Limit } from './attempts.ts'

const MINUTE = 60_000

/** Wrong passwords for one link from one address. */
export const PASSWORDS_PER_VISITOR: Limit = { most: 10, window: 10 * MINUTE }
/** Wrong passwords for one link from everywhere. */
export const PASSWORDS_PER_LINK: Limit = { most: 100, window: 10 * MINUTE }
/** Wrong passwords for all links from one address. */
export const PASSWORDS_PER_ADDRESS: Limit = { most: 100, window: 10 * MINUTE }
/** Links that are not there, asked for from one address. */
export const MISSES_PER_ADDRESS: Limit = { most: 300, window: MINUTE }

/** Slows down those who guess links or passwords. Tickets are not guessed and pass. */
export class Brake {
  readonly #visitors = new Attempts(PASSWORDS_PER_VISITOR)
  readonly #links = new Attempts(PASSWORDS_PER_LINK)
  readonly #addresses = new Attempts(PASSWORDS_PER_ADDRESS)
  readonly #misses = new Attempts(MISSES_PER_ADDRESS)

  /**
   * Checks a password, if this visitor may still try. Attempts count from their start, so that many at once are no way
   * round; right ones are taken back.
   * @returns whether it was right, or the milliseconds to wait
   */
  async tryPassword(hash: string, address: string, verify: () => Promise<boolean>): Promise<boolean | number> {
    const from = networkOf(address)
    const counted: [Attempts, string][] = [
      [this.#visitors, `${hash} ${from}`],
      [this.#links, hash],
      [this.#addresses, from],
    ]
    const wait = Math.max(...counted.map(([attempts, key]) => attempts.waitOf(key)))
    if (wait > 0) return wait
    for (const [attempts, key] of counted) attempts.add(key)
    const right = await verify()
    if (right) for (const [attempts, key] of counted) attempts.forgive(key)
    return right
  }

  /** Milliseconds until an address may ask for further links. */
  waitForLinks(address: string): number {
    return this.#misses.waitOf(networkOf(address))
  }

  /** Counts a link that was not there. */
  miss(address: string): void {
    this.#misses.add(networkOf(address))
  }
}

/** An address, or the network of 64 bits that one household has of the newer kind. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [front = '', back = ''] = address.split('::')
  const head = front.split(':').filter(Boolean)
  const tail = back.split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(8 - head.length - tail.length, 0)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
