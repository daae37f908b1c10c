/** Index data of each chunk, see `placeOf`. */
declare module 'virtual:text-places' {
  const displacements: Record<import('./chunks.ts').ChunkName, readonly number[]>
  export default displacements
}

/** The catalogue of the pseudo-locale. */
declare module 'virtual:pseudo-texts' {
  const texts: import('./packed.ts').PackedCatalogue
  export default texts
}

declare module 'virtual:pseudo-texts?tools' {
  const texts: import('./packed.ts').PackedCatalogue
  export default texts
}
