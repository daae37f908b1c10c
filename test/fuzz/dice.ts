/** Random choices, reproducible by seed. */
export class Dice {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** A number from 0 up to, not including, 1 (the generator is Mulberry32). */
  roll(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.roll() * end)
  }

  chance(probability: number): boolean {
    return this.roll() < probability
  }

  /** An element of a non-empty list. */
  pick<T>(list: readonly T[]): T {
    const [first] = list
    if (first === undefined) throw new Error('There is nothing to pick from.')
    return list[this.below(list.length)] ?? first
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)))
  }
}

/** The random choices of one request, which depend only on the seed and its number. */
export const diceFor = (seed: number, index: number) =>
  new Dice(Math.imul(seed, 0x9e3779b1) + Math.imul(index, 0x85ebca6b))
