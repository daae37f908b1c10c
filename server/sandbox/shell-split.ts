import { AppError } from '../errors.ts'

/** Characters that end a word outside quotes. */
const BLANK = /[ \t\r\n]/
/** Characters that a backslash escapes inside double quotes; before any other it is literal (POSIX). */
const ESCAPED_IN_QUOTES = new Set(['"', '\\', '$', '`'])

/**
 * Splits a line into words as a POSIX shell does with quotes and backslashes (http-api 13, 17), and nothing else: `;`,
 * `|`, `$(…)`, `*`, `#` and the like are literal.
 * @returns no words for a blank line
 * @throws AppError `bad_request` for an unclosed quote, a trailing backslash, or a NUL
 */
export function splitWords(line: string): string[] {
  if (line.includes('\0')) throw new AppError('bad_request', 'a NUL cannot be part of a command')
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < line.length; ) {
    const piece = pieceAt(line, at)
    if (piece.text !== undefined) word = (word ?? '') + piece.text
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
    at = piece.end
  }
  if (word !== undefined) words.push(word)
  return words
}

/** A token and where it ends; one without text separates two words. */
interface Piece {
  text?: string
  end: number
}

function pieceAt(line: string, at: number): Piece {
  const char = line.charAt(at)
  if (BLANK.test(char)) return { end: at + 1 }
  if (char === "'") return single(line, at + 1)
  if (char === '"') return double(line, at + 1)
  if (char === '\\') return escaped(line, at + 1)
  return { text: char, end: at + 1 }
}

function single(line: string, start: number): Piece {
  const end = line.indexOf("'", start)
  if (end < 0) throw new AppError('bad_request', 'a quote is not closed')
  return { text: line.slice(start, end), end: end + 1 }
}

function double(line: string, start: number): Piece {
  let text = ''
  for (let at = start; at < line.length; at += 1) {
    const char = line.charAt(at)
    if (char === '"') return { text, end: at + 1 }
    const next = line.charAt(at + 1)
    if (char !== '\\' || !(next === '\n' || ESCAPED_IN_QUOTES.has(next))) text += char
    else {
      if (next !== '\n') text += next
      at += 1
    }
  }
  throw new AppError('bad_request', 'a quote is not closed')
}

/** A backslash makes the next character literal; before a line break it joins the lines. */
function escaped(line: string, at: number): Piece {
  if (at === line.length) throw new AppError('bad_request', 'nothing follows the last backslash')
  const end = at + 1
  return { text: line.charAt(at) === '\n' ? '' : line.charAt(at), end }
}

/** A word quoted for a shell, for lines a user copies. */
export const quotedWord = (word: string) => (/^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
