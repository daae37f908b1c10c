import { readFileSync } from 'node:fs'
import compile from 'icu-minify/compile'

/** Node types of a compiled message, as numbered by `icu-minify`. */
const PLURAL = 2
const ORDINAL = 3
const NUMBER = 4
const DATE = 5
const TIME = 6

export type ArgumentType = 'number' | 'string' | 'date'

/** Nodes without branches, by what follows the argument's name. */
const PLAIN_TYPES = new Map<unknown, ArgumentType>([
  [undefined, 'string'],
  [NUMBER, 'number'],
  [DATE, 'date'],
  [TIME, 'date'],
])

/** A message as `icu-minify/format` reads it. */
export type Compiled = ReturnType<typeof compile>

/** A plural or ordinal in a message, with the categories it covers. */
export interface PluralUse {
  argument: string
  type: 'cardinal' | 'ordinal'
  categories: string[]
}

/** The arguments and plurals of a message. */
export interface MessageShape {
  args: Map<string, ArgumentType>
  plurals: PluralUse[]
}

/** A catalogue's source: flat keys to ICU messages. @throws Error unless it is such an object */
export function readCatalogue(file: string): Record<string, string> {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof value !== 'object' || value === null) throw new Error(`${file}: not an object`)
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw new Error(`${file}: ${key} is not a text`)
  }
  return value as Record<string, string>
}

/** Compiles a message. @throws Error that names the key */
export function compileMessage(key: string, text: string): Compiled {
  try {
    return compile(text)
  } catch (error) {
    throw new Error(`${key}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The arguments and plurals of a compiled message. */
export function shapeOf(message: Compiled): MessageShape {
  const shape: MessageShape = { args: new Map(), plurals: [] }
  if (typeof message !== 'string') for (const node of message) collect(node, shape)
  return shape
}

function collect(node: unknown, shape: MessageShape): void {
  if (!Array.isArray(node)) return
  const [name, type, detail] = node as [unknown, unknown, unknown]
  if (typeof name !== 'string') {
    for (const inner of node) collect(inner, shape)
    return
  }
  const plain = PLAIN_TYPES.get(type)
  if (plain) {
    note(shape, name, plain)
    return
  }
  const options = detail as Record<string, unknown>
  if (type === PLURAL || type === ORDINAL) {
    note(shape, name, 'number')
    const kind = type === PLURAL ? 'cardinal' : 'ordinal'
    shape.plurals.push({ argument: name, type: kind, categories: Object.keys(options) })
  } else {
    throw new Error(`{${name}}: neither tags nor select are supported`)
  }
  for (const branch of Object.values(options)) collectBranch(branch, shape)
}

function collectBranch(branch: unknown, shape: MessageShape): void {
  if (Array.isArray(branch)) for (const node of branch) collect(node, shape)
}

/** A plain `{name}` is untyped, so a stricter use elsewhere in the message takes precedence. */
function note(shape: MessageShape, name: string, type: ArgumentType): void {
  if (type !== 'string' || !shape.args.has(name)) shape.args.set(name, type)
}
