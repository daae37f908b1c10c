/** Passes chunks on, and reports the size of each. */
export async function* withProgress(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  report: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    report(chunk.length)
    yield chunk
  }
}
