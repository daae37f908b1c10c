import { expect, test } from 'vitest'
import { hold, takesGzip } from './listing.ts'

async function* lines(...texts: string[]) {
  yield* texts
}

const here = () => new AbortController().signal
const ROOMY = { text: 100, time: 60_000 }

test('a listing is held whole where there is room and time', async () => {
  expect(await hold(lines('one', 'two'), here(), ROOMY)).toEqual({ held: ['one', 'two'], isWhole: true })
})

test('what does not fit is left to be sent as it comes', async () => {
  const rest = lines('12345', '67890', 'more', 'and more')
  expect(await hold(rest, here(), { ...ROOMY, text: 9 })).toEqual({ held: ['12345', '67890'], isWhole: false })
  expect(await Array.fromAsync(rest)).toEqual(['more', 'and more'])
})

test('what takes long is left to be sent as it comes', async () => {
  const rest = lines('slow', 'slower')
  expect(await hold(rest, here(), { ...ROOMY, time: -1 })).toEqual({ held: ['slow'], isWhole: false })
})

test('nothing is gathered for a client that is gone', async () => {
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
