/** The part of the library that is used; its own types are for another entry point. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    get_width(): number
    get_height(): number
    /** Fills `data` with red, green, blue and alpha of each pixel, upright; calls back with `null` on failure. */
    display(
      into: { width: number; height: number; data: Uint8ClampedArray },
      tell: (shown: object | null) => void,
    ): void
  }
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } }
  export default libheif
}
