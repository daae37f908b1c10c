const operations = new Set<Promise<unknown>>()

/** Notes a short change of files until its response arrives, since an undo is of what was done before it. @returns `operation` */
export function noteUnderWay<T>(operation: Promise<T>): Promise<T> {
  operations.add(operation)
  const end = () => void operations.delete(operation)
  operation.then(end, end)
  return operation
}

/** Waits for the changes that are under way now, whether or not they succeed. */
export async function afterThoseUnderWay(): Promise<void> {
  await Promise.allSettled(operations)
}
