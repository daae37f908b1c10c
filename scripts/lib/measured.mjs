import { parseSync, Visitor } from 'vite'

/**
 * Metrics of one source. Only named functions count: a declaration, a method, or one bound to a name; nested functions
 * belong to the outer one.
 * @returns {{ path: string, lines: number, filled: number, comments: number, functions: number[], bodyLines: number,
 *   bodyComments: number, exported: number, explained: number, contracts: Record<string, { required: number, optional: number }> }}
 */
export function measure(path, text) {
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const rows = rowsOf(text)
  const lineOf = lineFinder(text)
  const code = rowsOf(blank(comments, text))
  const isComment = rows.map((row, line) => row.trim() !== '' && code[line].trim() === '')
  const { functions, contracts } = visit(program)
  const bodies = new Set(functions.flatMap(({ body }) => linesBetween(lineOf(body.start), lineOf(body.end))))
  const exported = program.body.filter(node => node.type === 'ExportNamedDeclaration' && node.declaration)
  return {
    path,
    lines: rows.length,
    filled: rows.filter(row => row.trim() !== '').length,
    comments: isComment.filter(Boolean).length,
    functions: functions.map(({ whole }) => lineOf(whole.end) - lineOf(whole.start) + 1),
    bodyLines: bodies.size,
    bodyComments: [...bodies].filter(line => isComment[line]).length,
    exported: exported.length,
    explained: exported.filter(node => isComment[lineOf(node.start) - 1]).length,
    contracts,
  }
}

/** The outermost named functions, and the members of each interface. */
function visit(program) {
  const functions = []
  const contracts = {}
  const add = (whole, { body } = {}) => {
    const outer = functions.at(-1)?.whole
    if (body && !(outer && whole.end <= outer.end)) functions.push({ whole, body })
  }
  const bound = (whole, value) => {
    if (value?.type === 'ArrowFunctionExpression' || value?.type === 'FunctionExpression') add(whole, value)
  }
  new Visitor({
    FunctionDeclaration: node => add(node, node),
    VariableDeclarator: node => bound(node, node.init),
    AssignmentExpression: node => bound(node, node.right),
    Property: node => bound(node, node.value),
    PropertyDefinition: node => bound(node, node.value),
    MethodDefinition: node => bound(node, node.value),
    TSInterfaceDeclaration({ id, body }) {
      const optional = body.body.filter(member => member.optional).length
      contracts[id.name] = { required: body.body.length - optional, optional }
    },
  }).visit(program)
  return { functions, contracts }
}

const rowsOf = text => text.replace(/\n$/, '').split('\n')

/** The text with spaces in place of its comments. */
function blank(comments, text) {
  const parts = comments.map(({ start, end }, index) => [
    text.slice(comments[index - 1]?.end ?? 0, start),
    text.slice(start, end).replace(/[^\n]/g, ' '),
  ])
  return [...parts.flat(), text.slice(comments.at(-1)?.end ?? 0)].join('')
}

const linesBetween = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Returns a function from an offset to its line number, counted from 0. */
function lineFinder(text) {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return offset => {
    let line = 0
    for (let step = 2 ** 20; step >= 1; step /= 2) if (starts[line + step] <= offset) line += step
    return line
  }
}
