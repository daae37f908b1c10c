import { describe, expect, test } from 'vitest'
import { ROOT } from '../../../shared/path.ts'
import { addLines, type LogLine, MAX_LINES, outputOf, type Run, withoutLastLine } from './log.ts'

const run = (id: number): Run => ({ id, folder: ROOT, command: `c${id}`, state: 'running', note: '', blocks: [] })
const line = (text: string, id = 0): LogLine => ({ id, pieces: [{ text, style: {}, start: 0 }] })
const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => line(String(from + at), from + at))
const linesOf = (one: Run | undefined) => (one ? outputOf(one).split('\n') : [])

describe('the log', () => {
  test('keeps lines in order, however they arrive', () => {
    let runs: readonly Run[] = [run(1)]
    for (let at = 0; at < 350; at += 7) runs = addLines(runs, numbered(7, at))
    expect(linesOf(runs[0])).toEqual(Array.from({ length: 350 }, (_, at) => String(at)))
  })

  test('never changes full blocks', () => {
    const before = addLines([run(1)], numbered(250))
    const after = addLines(before, numbered(1))
    expect(after[0]?.blocks.slice(0, 2)).toEqual(before[0]?.blocks.slice(0, 2))
    expect(after[0]?.blocks[0]).toBe(before[0]?.blocks[0])
  })

  test('drops the oldest lines beyond its limit', () => {
    const runs = addLines([run(1)], numbered(MAX_LINES + 150))
    const lines = linesOf(runs[0])
    expect(lines.length).toBeLessThanOrEqual(MAX_LINES)
    expect(lines.length).toBeGreaterThan(MAX_LINES - 100)
    expect(lines.at(-1)).toBe(String(MAX_LINES + 149))
  })

  test('drops whole commands, and keeps the last', () => {
    const first = addLines([run(1)], numbered(50))
    const runs = addLines([...first, run(2)], numbered(MAX_LINES))
    expect(runs.map(({ id }) => id)).toEqual([2])
  })

  test('removes the last line, but none of an earlier command', () => {
    const runs = addLines([run(1)], numbered(101))
    const shorter = withoutLastLine(runs)
    expect(linesOf(shorter[0])).toEqual(Array.from({ length: 100 }, (_, at) => String(at)))
    expect(linesOf(withoutLastLine(addLines(shorter, numbered(1, 7)))[0])).toHaveLength(100)
    expect(withoutLastLine([...runs, run(2)])).toEqual([...runs, run(2)])
  })

  test('counts an endless line as many', () => {
    let runs: readonly Run[] = [run(1)]
    for (let at = 0; at < 200; at += 1) runs = addLines(runs, [line('x'.repeat(64 * 1024))])
    expect(outputOf(runs[0] ?? run(0)).length).toBeLessThan(15_000_000)
  })
})
