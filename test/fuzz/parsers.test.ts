import { expect, test } from 'vitest'
import { type Dice, diceFor } from './dice.ts'
import { BYTE_PARSERS, isRefusal, type Parser, TEXT_PARSERS } from './parsers.ts'
import { HOSTILE_TEXTS } from './values.ts'

/** As in `fuzz.test.ts`; the seconds are those of all parsers together. */
const SEED = Number(process.env.FILIGREE_FUZZ_SEED ?? 20_260_921)
const SECONDS = Number(process.env.FILIGREE_FUZZ_PARSER_SECONDS ?? 4)
/** Minimum number of inputs per parser, whatever the time. */
const AT_LEAST = 30
/** CPU milliseconds that one input may cost; wall time would include other work. */
const MOST_TIME = 1000
const PATIENCE = (SECONDS + 300) * 1000

/** What is wrong with the handling of an input; undefined if nothing is. */
async function faultOf<Input extends string | Buffer>(
  { name, run }: Parser<Input>,
  input: Input,
): Promise<string | undefined> {
  const before = process.cpuUsage()
  const shown = () => JSON.stringify(input.toString('latin1' as BufferEncoding).slice(0, 300))
  try {
    await run(input)
  } catch (thrown) {
    if (!isRefusal(thrown)) return `${name} threw ${thrown} at ${shown()}`
  }
  const { user, system } = process.cpuUsage(before)
  const spent = (user + system) / 1000
  return spent > MOST_TIME ? `${name} took ${spent.toFixed(0)} ms for ${input.length} of ${shown()}` : undefined
}

const SIGNS = [
  '%',
  '/',
  '..',
  '\0',
  '"',
  "'",
  '\\',
  '<',
  '>',
  '&',
  '=',
  ',',
  ';',
  '-',
  '(',
  '*',
  '[',
  '\n',
  '\u001b',
  '\ud800',
] as const

function corruptText(seeds: readonly string[], dice: Dice): string {
  let input = dice.chance(0.1) ? dice.pick(HOSTILE_TEXTS) : dice.pick(seeds)
  for (let count = dice.below(8); count >= 0; count -= 1) {
    const [start, end] = [dice.below(input.length + 1), dice.below(input.length + 1)].sort((a, b) => a - b)
    const piece = dice.pick([dice.pick(SIGNS), dice.pick(seeds), input.slice(start, end).repeat(dice.below(5))])
    input = input.slice(0, start) + piece + input.slice(dice.chance(0.5) ? start : end)
  }
  return input.slice(0, 20_000)
}

const NUMBERS = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff] as const

function corruptBytes(seeds: readonly Buffer[], dice: Dice): Buffer {
  const seed = dice.pick(seeds)
  const bytes = Buffer.from(seed.subarray(0, dice.chance(0.3) ? dice.below(seed.length + 1) : seed.length))
  // The significant part comes first.
  const reach = () => dice.below(dice.chance(0.7) ? Math.min(bytes.length, 256) : bytes.length)
  for (let count = dice.below(10); count >= 0 && bytes.length >= 8; count -= 1) {
    const at = Math.min(reach(), bytes.length - 4)
    const number = dice.pick(NUMBERS)
    const write = dice.below(4)
    if (write === 0) bytes.writeUInt32LE(number, at)
    else if (write === 1) bytes.writeUInt32BE(number, at)
    else bytes[at] = dice.below(256)
  }
  return bytes
}

/** Runs the parsers in rotation until the time is over. @returns faults, and the number of inputs */
async function tryAll<Input extends string | Buffer>(
  parsers: readonly Parser<Input>[],
  corrupt: (seeds: readonly Input[], dice: Dice) => Input,
  seconds: number,
): Promise<{ faults: string[]; tried: number }> {
  const until = Date.now() + seconds * 1000
  const faults: string[] = []
  let tried = 0
  for (let round = 0; faults.length < 5 && (round < AT_LEAST || Date.now() < until); round += 1) {
    for (const [index, parser] of parsers.entries()) {
      const fault = await faultOf(parser, corrupt(parser.seeds, diceFor(SEED + index, round)))
      if (fault) faults.push(`${fault} (seed ${SEED}, round ${round})`)
      tried += 1
    }
  }
  return { faults, tried }
}

test(`no text makes one of ${TEXT_PARSERS.length} parsers fail unexpectedly or run long (seed ${SEED})`, {
  timeout: PATIENCE,
}, async () => {
  const { faults, tried } = await tryAll(TEXT_PARSERS, corruptText, SECONDS / 2)
  expect(faults.join('\n')).toBe('')
  expect(tried).toBeGreaterThanOrEqual(AT_LEAST * TEXT_PARSERS.length)
})

test(`IMG-02 IMG-10 no bytes make one of ${BYTE_PARSERS.length} readers fail unexpectedly or run long (seed ${SEED})`, {
  timeout: PATIENCE,
}, async () => {
  const { faults, tried } = await tryAll(BYTE_PARSERS, corruptBytes, SECONDS / 2)
  expect(faults.join('\n')).toBe('')
  expect(tried).toBeGreaterThanOrEqual(AT_LEAST * BYTE_PARSERS.length)
})

/** Input that makes careless regular expressions backtrack. */
const UNITS = [
  'a',
  ' ',
  '%',
  '%41',
  '"',
  '\\',
  '<a',
  `<a '"`,
  '<!--',
  '(',
  '((a',
  'a=',
  '&',
  ',',
  '0',
  '1-',
  '\n',
  '\u001b[',
  '00:00:00,000 --> ',
] as const

test.each(TEXT_PARSERS.map(parser => [parser.name, parser] as const))(
  'REDOS-02 %s of a quarter of a megabyte is parsed or refused at once',
  async (_name, parser) => {
    for (const unit of UNITS) {
      expect(await faultOf(parser, unit.repeat(Math.ceil((256 * 1024) / unit.length)))).toBeUndefined()
    }
  },
)
