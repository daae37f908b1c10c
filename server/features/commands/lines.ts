import { MAX_OUTPUT_LINE } from '../../../shared/api/commands.ts'

/** Splits the bytes of one stream into lines of text. Invalid UTF-8 becomes U+FFFD. */
export class Lines {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #rest = ''

  /** The lines that these bytes complete. A line that is too long is split into several; none is dropped. */
  push(bytes: Buffer): string[] {
    return this.#cut(this.#decoder.decode(bytes, { stream: true }))
  }

  /** The remaining text at the end of the stream. */
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

/** At least one chunk; no chunk splits a character. */
function chop(line: string): string[] {
  const chunks: string[] = []
  let start = 0
  while (line.length - start > MAX_OUTPUT_LINE) {
    const end = start + MAX_OUTPUT_LINE
    const isHalf = /[\uD800-\uDBFF]/.test(line.charAt(end - 1))
    chunks.push(line.slice(start, isHalf ? end - 1 : end))
    start = isHalf ? end - 1 : end
  }
  return [...chunks, line.slice(start)]
}
