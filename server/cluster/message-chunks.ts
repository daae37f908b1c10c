/** The size limit of a PostgreSQL notification in bytes, less the header of a message part. */
const LARGEST = 7900

/** A message split into parts that fit a notification each, in order. */
export function partsOf(sender: string, message: unknown): string[] {
  const text = inAscii(JSON.stringify(message))
  const count = Math.max(1, Math.ceil(text.length / LARGEST))
  return Array.from({ length: count }, (_, index) => {
    const part = text.slice(index * LARGEST, (index + 1) * LARGEST)
    return `${sender} ${index + 1}/${count} ${part}`
  })
}

/** Escapes every other character, so that each character is one byte. */
function inAscii(json: string): string {
  return json.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Reassembles messages; the parts of each arrive in order. */
export class MessageAssembler {
  readonly #own: string
  readonly #begun = new Map<string, string>()

  /** @param own a sender whose messages are ignored */
  constructor(own: string) {
    this.#own = own
  }

  /** @returns the message that a part completes, otherwise `undefined` */
  add(notification: string): unknown {
    const [, sender = '', index, count, part = ''] = /^(\S+) (\d+)\/(\d+) (.*)$/s.exec(notification) ?? []
    if (sender === '' || sender === this.#own) return undefined
    const text = (index === '1' ? '' : (this.#begun.get(sender) ?? '')) + part
    if (index !== count) this.#begun.set(sender, text)
    else this.#begun.delete(sender)
    return index === count ? parsed(text) : undefined
  }

  /** Parts may have been lost. */
  clear(): void {
    this.#begun.clear()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
