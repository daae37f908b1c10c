/** Of the versions 1 to 10 at error correction level L: all code words, check words of a block, and blocks. */
const VERSIONS = [
  [26, 7, 1],
  [44, 10, 1],
  [70, 15, 1],
  [100, 20, 1],
  [134, 26, 1],
  [172, 18, 2],
  [196, 20, 2],
  [242, 24, 2],
  [292, 30, 2],
  [346, 18, 4],
] as const
/** Middles of the alignment patterns, by version. */
const ALIGNMENT = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]] as const
/** Level L with mask 0 (ISO/IEC 18004, 7.9). */
const FORMAT = 0x77c4

/** The dark modules of a QR code by row and column, without a border; `undefined` for more than 271 bytes. */
export function qrCode(text: string): boolean[][] | undefined {
  const bytes = [...new TextEncoder().encode(text)]
  const index = VERSIONS.findIndex(([all, check, blocks], at) => bytes.length + headOf(at) <= all - check * blocks)
  const version = VERSIONS[index]
  if (!version) return undefined
  const [all, check, blocks] = version
  const words = withChecks(dataWords(bytes, index, all - check * blocks), check, blocks)
  const grid = new Grid(index + 1)
  grid.drawPatterns()
  grid.drawData(words)
  return grid.dark
}

/** Bytes that mode, length and end take. */
const headOf = (index: number) => (index < 9 ? 2 : 3)

/** Mode, length, the bytes, and padding. */
function dataWords(bytes: readonly number[], index: number, capacity: number): number[] {
  const length = bytes.length.toString(2).padStart(index < 9 ? 8 : 16, '0')
  const bits = `0100${length}${bytes.map(byte => byte.toString(2).padStart(8, '0')).join('')}0000`
  const words = (bits.match(/.{8}/g) ?? []).map(word => Number.parseInt(word, 2))
  const padding = Array.from({ length: capacity - words.length }, (_, at) => (at % 2 === 0 ? 0xec : 0x11))
  return [...words, ...padding]
}

/** Splits the words into blocks, adds the check words of each, and interleaves them. */
function withChecks(words: readonly number[], check: number, blocks: number): number[] {
  const short = Math.floor(words.length / blocks)
  const longer = words.length % blocks
  const data = Array.from({ length: blocks }, (_, at) => {
    const start = at * short + Math.max(at - (blocks - longer), 0)
    return words.slice(start, start + short + (at >= blocks - longer ? 1 : 0))
  })
  const checks = data.map(block => remainder(block, check))
  return [...interleaved(data), ...interleaved(checks)]
}

function interleaved(blocks: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...blocks.map(block => block.length))
  return Array.from({ length: longest }, (_, at) => blocks.flatMap(block => block[at] ?? [])).flat()
}

/** The check words of Reed and Solomon: the remainder of the division by their generator. */
function remainder(block: readonly number[], degree: number): number[] {
  const divisor = generator(degree)
  return block.reduce<number[]>((rest, word) => {
    const factor = word ^ (rest[0] ?? 0)
    return [...rest.slice(1), 0].map((value, at) => value ^ product(divisor[at] ?? 0, factor))
  }, new Array<number>(degree).fill(0))
}

function generator(degree: number): number[] {
  let result = [...new Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let count = 0; count < degree; count++) {
    result = result.map((value, at) => product(value, root) ^ (result[at + 1] ?? 0))
    root = product(root, 2)
  }
  return result
}

/** In the field of 256 elements with the polynomial 0x11d. */
function product(left: number, right: number): number {
  let result = 0
  for (let bit = 7; bit >= 0; bit--) {
    result = (result << 1) ^ ((result >>> 7) * 0x11d)
    if ((right >>> bit) & 1) result ^= left
  }
  return result
}

/** The square of modules. What is drawn as a pattern stays free of data. */
class Grid {
  readonly dark: boolean[][]
  readonly #version: number
  readonly #size: number
  readonly #taken: boolean[][]

  constructor(version: number) {
    this.#version = version
    this.#size = 17 + 4 * version
    const square = () => Array.from({ length: this.#size }, () => new Array<boolean>(this.#size).fill(false))
    this.dark = square()
    this.#taken = square()
  }

  drawPatterns(): void {
    const last = this.#size - 1
    for (let at = 0; at < this.#size; at++) {
      this.#set(6, at, at % 2 === 0)
      this.#set(at, 6, at % 2 === 0)
    }
    for (const [row, column] of [
      [3, 3],
      [3, last - 3],
      [last - 3, 3],
    ] as const) {
      this.#drawSquares(row, column, 4, distance => distance !== 2 && distance !== 4)
    }
    const middles = ALIGNMENT[this.#version - 1] ?? []
    const corner = middles.at(-1)
    for (const row of [6, ...middles]) {
      for (const column of [6, ...middles]) {
        const isFinder = (row === 6 && (column === 6 || column === corner)) || (column === 6 && row === corner)
        if (!isFinder) this.#drawSquares(row, column, 2, distance => distance !== 1)
      }
    }
    this.#drawFormat(last)
    if (this.#version >= 7) this.#drawVersion(last)
  }

  /** Places the words from the lower right, in columns of two, with mask 0. */
  drawData(words: readonly number[]): void {
    const bits = words.map(word => word.toString(2).padStart(8, '0')).join('')
    let next = 0
    let upward = true
    for (let right = this.#size - 1; right > 0; right -= right === 8 ? 3 : 2) {
      for (let step = 0; step < this.#size; step++) {
        const row = upward ? this.#size - 1 - step : step
        for (const column of [right, right - 1]) {
          if (this.#taken[row]?.[column]) continue
          this.#set(row, column, (bits[next] === '1') !== ((row + column) % 2 === 0))
          next++
        }
      }
      upward = !upward
    }
  }

  /** Nested squares around a middle. @param isDark by the distance from it */
  #drawSquares(row: number, column: number, reach: number, isDark: (distance: number) => boolean): void {
    for (let down = -reach; down <= reach; down++) {
      for (let across = -reach; across <= reach; across++) {
        this.#set(row + down, column + across, isDark(Math.max(Math.abs(down), Math.abs(across))))
      }
    }
  }

  #drawFormat(last: number): void {
    const rows = [0, 1, 2, 3, 4, 5, 7, 8]
    for (let bit = 0; bit < 15; bit++) {
      const isDark = ((FORMAT >>> bit) & 1) === 1
      const place = bit < 8 ? ([rows[bit] ?? 0, 8] as const) : ([8, bit === 8 ? 7 : 14 - bit] as const)
      this.#set(place[0], place[1], isDark)
      if (bit < 8) this.#set(8, last - bit, isDark)
      else this.#set(last - 14 + bit, 8, isDark)
    }
    this.#set(last - 7, 8, true)
  }

  #drawVersion(last: number): void {
    let rest = this.#version
    for (let count = 0; count < 12; count++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25)
    const bits = (this.#version << 12) | rest
    for (let bit = 0; bit < 18; bit++) {
      const isDark = ((bits >>> bit) & 1) === 1
      const [far, near] = [last - 10 + (bit % 3), Math.floor(bit / 3)]
      this.#set(far, near, isDark)
      this.#set(near, far, isDark)
    }
  }

  #set(row: number, column: number, isDark: boolean): void {
    const line = this.dark[row]
    const taken = this.#taken[row]
    if (!line || !taken || column < 0 || column >= this.#size) return
    line[column] = isDark
    taken[column] = true
  }
}
