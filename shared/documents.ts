import { extensionOf } from './path.ts'

/** Formats of office documents that the server converts to PDF, by extension. */
const TEXTS = 'odt ott fodt doc dot docx docm rtf'.split(' ')
const SHEETS = 'ods ots xls xlt xlsx xlsm'.split(' ')
const SLIDES = 'odp otp ppt pps pptx ppsx pptm'.split(' ')
const DRAWINGS = 'odg'.split(' ')
const FORMATS: ReadonlySet<string> = new Set([...TEXTS, ...SHEETS, ...SLIDES, ...DRAWINGS])

/** The format of a document that can be converted to PDF, as an extension in lower case; `undefined` for other files. */
export function documentFormat(name: string): string | undefined {
  const format = extensionOf(name).slice(1).toLowerCase()
  return FORMATS.has(format) ? format : undefined
}
