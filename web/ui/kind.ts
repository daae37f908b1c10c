import type { ResourceType } from '../../shared/api/resources.ts'

/** The fourteen icons of `Glyph`. */
export const GLYPH_KINDS = [
  'folder',
  'file',
  'text',
  'code',
  'doc',
  'sheet',
  'slides',
  'pdf',
  'image',
  'video',
  'audio',
  'archive',
  'book',
  'link',
] as const

export type GlyphKind = (typeof GLYPH_KINDS)[number]

const BY_EXTENSION: Partial<Record<GlyphKind, string>> = {
  archive: '7z br bz2 cab deb dmg gz iso jar lz4 rar rpm sz tar tbz2 tgz txz xz zip zst',
  book: 'azw3 djvu epub fb2 mobi',
  code: 'bash bat c cc cpp cs css dart ex go h hpp html java js json jsx kt lua mjs php pl ps1 py r rb rs scala scss sh sql svelte swift toml ts tsx vue wasm xml yaml yml zig',
  doc: 'doc docm docx odt pages rtf',
  sheet: 'csv numbers ods tsv xls xlsm xlsx',
  slides: 'key odp ppt pptm pptx',
}

const KIND_OF_EXTENSION = new Map<string, GlyphKind>(
  Object.entries(BY_EXTENSION).flatMap(([kind, list]) => list.split(' ').map(ext => [ext, kind as GlyphKind] as const)),
)

const BY_TYPE: Record<ResourceType, GlyphKind> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  pdf: 'pdf',
  text: 'text',
  textImmutable: 'text',
  blob: 'file',
  invalid_link: 'link',
  '': 'file',
}

/** The icon of a resource: by its folder flag, then media type, then extension. */
export function kindOf(item: { isDir: boolean; type: ResourceType; extension: string }): GlyphKind {
  if (item.isDir) return 'folder'
  const byType = BY_TYPE[item.type]
  if (byType !== 'file' && byType !== 'text') return byType
  return KIND_OF_EXTENSION.get(item.extension.slice(1).toLowerCase()) ?? byType
}
