/** Where the texts stand, see `placeOf`. */
declare module 'virtual:text-places' {
  const displacements: readonly number[]
  export default displacements
}

/** The catalogue of the pseudo-language. */
declare module 'virtual:pseudo-texts' {
  const texts: import('./packed.ts').PackedCatalogue
  export default texts
}
