import type { FilePath } from '../../../shared/path.ts'
import type { AnsiPiece } from './ansi.ts'

/** Maximum number of lines; older ones are dropped. */
export const MAX_LINES = 10_000
/** Characters that count as one line: a few endless lines must not fill the memory either. */
const LINE_LENGTH = 400
const LINES_IN_BLOCK = 100

export interface LogLine {
  id: number
  pieces: readonly AnsiPiece[]
}

/** A block of lines rendered together; immutable once full. */
export interface LogBlock {
  id: number
  lines: readonly LogLine[]
  /** As counted against `MAX_LINES`. */
  weight: number
}

/** How a command has ended, or that it is running. */
export type RunState = 'running' | 'done' | 'stopped' | 'refused' | 'lost'

/** A command and its output. */
export interface Run {
  id: number
  folder: FilePath
  command: string
  state: RunState
  /** A note on how it ended. */
  note: string
  blocks: readonly LogBlock[]
}

/** Appends lines to the last command, and drops the oldest of all. */
export function addLines(runs: readonly Run[], lines: readonly LogLine[]): readonly Run[] {
  const last = runs.at(-1)
  if (!last || lines.length === 0) return runs
  return withinLimit([...runs.slice(0, -1), { ...last, blocks: fillBlocks(last.blocks, lines) }])
}

/** Removes the last line of the last command. */
export function withoutLastLine(runs: readonly Run[]): readonly Run[] {
  const last = runs.at(-1)
  const block = last?.blocks.at(-1)
  const line = block?.lines.at(-1)
  if (!last || !block || !line) return runs
  const shorter = { ...block, lines: block.lines.slice(0, -1), weight: block.weight - weightOf(line) }
  const blocks = [...last.blocks.slice(0, -1), ...(shorter.lines.length > 0 ? [shorter] : [])]
  return [...runs.slice(0, -1), { ...last, blocks }]
}

function fillBlocks(before: readonly LogBlock[], lines: readonly LogLine[]): LogBlock[] {
  const blocks = [...before]
  let at = 0
  while (at < lines.length) {
    const last = blocks.at(-1)
    const open = last && last.lines.length < LINES_IN_BLOCK ? last : undefined
    const room = LINES_IN_BLOCK - (open?.lines.length ?? 0)
    const own = [...(open?.lines ?? []), ...lines.slice(at, at + room)]
    const weight = own.reduce((sum, line) => sum + weightOf(line), 0)
    if (open) blocks.pop()
    blocks.push({ id: open?.id ?? (last?.id ?? 0) + 1, lines: own, weight })
    at += room
  }
  return blocks
}

function weightOf(line: LogLine): number {
  const length = line.pieces.reduce((sum, { text }) => sum + text.length, 0)
  return Math.max(1, Math.ceil(length / LINE_LENGTH))
}

function withinLimit(runs: readonly Run[]): readonly Run[] {
  let extra = runs.flatMap(run => run.blocks).reduce((sum, { weight }) => sum + weight, 0) - MAX_LINES
  if (extra <= 0) return runs
  return runs.flatMap((run, index) => {
    if (extra <= 0) return [run]
    const blocks = [...run.blocks]
    while (extra > 0 && blocks.length > 0) extra -= blocks.shift()?.weight ?? 0
    const isLast = index === runs.length - 1
    return blocks.length > 0 || isLast ? [{ ...run, blocks }] : []
  })
}

/** The output of a command as plain text. */
export function outputOf({ blocks }: Run): string {
  return blocks
    .flatMap(block => block.lines)
    .map(textOfLine)
    .join('\n')
}

export function textOfLine(line: LogLine): string {
  return line.pieces.map(({ text }) => text).join('')
}
