/** The same pieces, and how many bytes each has is told. */
export async function* toldPieces(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  tell: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    tell(piece.length)
    yield piece
  }
}
