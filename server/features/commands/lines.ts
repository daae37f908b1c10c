import { MAX_OUTPUT_LINE } from '../../../shared/api/commands.ts'

/** Cuts the bytes of one stream into lines of text. What is not UTF-8 becomes U+FFFD; everything else stays. */
export class Lines {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #rest = ''

  /** The lines that these bytes complete. One that gets too long is cut into several, and none is lost. */
  push(bytes: Buffer): string[] {
    return this.#cut(this.#decoder.decode(bytes, { stream: true }))
  }

  /** What is left when the stream has ended. */
  end(): string[] {
    const lines = this.#cut(this.#decoder.decode())
    return this.#rest === '' ? lines : [...lines, this.#rest]
  }

  #cut(text: string): string[] {
    const lines = (this.#rest + text).split('\n')
    const last = chop(lines.pop() ?? '')
    this.#rest = last.pop() ?? ''
    return [...lines.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line)).flatMap(chop), ...last]
  }
}

/** At least one piece; none of them ends within a character. */
function chop(line: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (line.length - start > MAX_OUTPUT_LINE) {
    const end = start + MAX_OUTPUT_LINE
    const isHalf = /[\uD800-\uDBFF]/.test(line.charAt(end - 1))
    pieces.push(line.slice(start, isHalf ? end - 1 : end))
    start = isHalf ? end - 1 : end
  }
  return [...pieces, line.slice(start)]
}
