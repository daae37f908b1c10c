import type { Sharp } from 'sharp'
import { decode, Locked } from './decoder.ts'
import { longestSide, type RenderOptions } from './renderer.ts'
import { readWhole, type Source } from './source.ts'

/** What the library says of a document that needs a password. */
const PASSWORD = /password required/i

/**
 * The first page of a document. The library is built without scripts and without access to other files.
 * @throws Locked
 */
export async function open(source: Source, { size }: RenderOptions): Promise<Sharp> {
  const bytes = await readWhole(source)
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(bytes).catch((thrown: unknown) => {
    throw PASSWORD.test(String(thrown)) ? new Locked() : thrown
  })
  const page = document.getPage(0)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = longestSide(size) / Math.max(originalWidth, originalHeight)
  const sides = { width: Math.ceil(originalWidth * scale), height: Math.ceil(originalHeight * scale) }
  const { data, width, height } = await page.render({ ...sides, render: 'bitmap' })
  return decode(Buffer.from(data), { raw: { width, height, channels: 4 } }).flatten({ background: 'white' })
}
