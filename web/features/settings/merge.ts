const CONFLICT = Symbol('both changed it')

/**
 * Three-way merge, field by field: applies the changes made to an old value to the current one.
 * @returns `undefined` where both changed the same field differently
 */
export function mergeFields<T extends object>(before: T, after: T, now: T): T | undefined {
  const value = merged(before, after, now)
  return value === CONFLICT ? undefined : (value as T)
}

/** A nested object is merged by field; any other value is atomic. */
function merged(old: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSame(mine, old) || isSame(mine, theirs)) return theirs
  if (isSame(theirs, old)) return mine
  if (!isRecord(old) || !isRecord(mine) || !isRecord(theirs)) return CONFLICT
  const fields = Object.keys({ ...theirs, ...mine }).map(name => [name, merged(old[name], mine[name], theirs[name])])
  return fields.some(([, value]) => value === CONFLICT) ? CONFLICT : Object.fromEntries(fields)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
