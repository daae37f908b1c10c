/** The leaves of an object by their paths, separated by dots; an array is a leaf. */
export function leavesOf(value: object): Record<string, unknown> {
  return Object.fromEntries(linesOf(value, ''))
}

function linesOf(value: object, prefix: string): [string, unknown][] {
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const isGroup = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    return isGroup ? linesOf(inner, `${prefix}${name}.`) : [[`${prefix}${name}`, inner]]
  })
}
