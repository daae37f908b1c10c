import type { Compiled } from './catalogue.ts'

const PLAIN = 'AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz'
const DRESSED = 'ÀåƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀɱÑñÖöÞþǪǫŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž'
const ACCENTED = new Map([...PLAIN].map((letter, at) => [letter, [...DRESSED][at] ?? letter]))

/** How much longer a text becomes: other languages need up to so much more room than English. */
const GROWTH = 0.4

/** What makes it longer: words, since texts break between words. */
const FILLER = accented('one two three four five six seven eight nine ten ').repeat(8)

/**
 * A message in the pseudo-language, which finds what a translation would break: letters with accents, longer by two
 * fifths, in brackets so that one sees both ends of the text.
 */
export function pseudoMessage(message: Compiled): Compiled {
  const more = Math.ceil(lettersIn(message) * GROWTH)
  const end = more > 0 ? ` ${FILLER.slice(0, more)}]` : ']'
  return typeof message === 'string' ? `[${accented(message)}${end}` : ['[', ...message.map(dressNode), end]
}

type Node = Exclude<Compiled, string>[number]

/** The first text of an argument's node is its name, and its branches stand in an object. */
function dressNode(node: Node): Node {
  if (typeof node === 'string') return accented(node)
  if (!Array.isArray(node)) return node
  return node.map(part => (isBranches(part) ? dressBranches(part) : part)) as Node
}

function dressBranches(branches: Record<string, Compiled>): Record<string, Compiled> {
  return Object.fromEntries(
    Object.entries(branches).map(([name, branch]) => [
      name,
      Array.isArray(branch) ? branch.map(dressNode) : typeof branch === 'string' ? accented(branch) : branch,
    ]),
  )
}

/** Letters of the longest way through a message. */
function lettersIn(part: unknown): number {
  if (typeof part === 'string') return part.length
  if (!Array.isArray(part)) return 0
  return part.reduce((sum: number, node: unknown) => sum + lettersOfNode(node), 0)
}

function lettersOfNode(node: unknown): number {
  if (!Array.isArray(node)) return lettersIn(node)
  const branches = node.find(isBranches)
  return branches ? Math.max(...Object.values(branches).map(lettersIn)) : 0
}

function isBranches(part: unknown): part is Record<string, Compiled> {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}

function accented(text: string): string {
  return [...text].map(letter => ACCENTED.get(letter) ?? letter).join('')
}
