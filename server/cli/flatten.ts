/** The innermost values of an object by their names, parted by dots; a list is one value. */
export function leavesOf(value: object): Record<string, unknown> {
  return Object.fromEntries(linesOf(value, ''))
}

function linesOf(value: object, prefix: string): [string, unknown][] {
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const isGroup = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    return isGroup ? linesOf(inner, `${prefix}${name}.`) : [[`${prefix}${name}`, inner]]
  })
}
