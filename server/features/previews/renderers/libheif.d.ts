/** What is used of the library; its own types are of another entry. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    get_width(): number
    get_height(): number
    /** Fills `data` with red, green, blue and alpha of each pixel, upright; tells `null` when it cannot. */
    display(
      into: { width: number; height: number; data: Uint8ClampedArray },
      tell: (shown: object | null) => void,
    ): void
  }
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } }
  export default libheif
}
