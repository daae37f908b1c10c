import { expect, test } from 'vitest'
import { hold, takesGzip } from './listing.ts'

async function* lines(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

const textsOf = (held: Buffer[]) => held.map(line => line.toString())

const here = () => new AbortController().signal
const ROOMY = { text: 100, time: 60_000 }

test('a small listing is buffered', async () => {
  const { held, isWhole } = await hold(lines('one', 'two'), here(), ROOMY)
  expect(textsOf(held)).toEqual(['one', 'two'])
  expect(isWhole).toBe(true)
})

test('a large listing is streamed', async () => {
  const rest = lines('12345', '67890', 'more', 'and more')
  const { held, isWhole } = await hold(rest, here(), { ...ROOMY, text: 9 })
  expect(textsOf(held)).toEqual(['12345', '67890'])
  expect(isWhole).toBe(false)
  expect(textsOf(await Array.fromAsync(rest))).toEqual(['more', 'and more'])
})

test('a slow listing is streamed', async () => {
  const rest = lines('slow', 'slower')
  const { held, isWhole } = await hold(rest, here(), { ...ROOMY, time: -1 })
  expect(textsOf(held)).toEqual(['slow'])
  expect(isWhole).toBe(false)
})

test('nothing is buffered for a disconnected client', async () => {
  const gone = AbortSignal.abort(new Error('went away'))
  await expect(hold(lines('one'), gone, ROOMY)).rejects.toThrow('went away')
})

test.each([
  ['gzip', true],
  ['br;q=1, gzip;q=0.5', true],
  ['gzip;q=0', false],
  ['br', false],
  [undefined, false],
])('Accept-Encoding: %s', (accepted, taken) => {
  expect(takesGzip(accepted)).toBe(taken)
})
