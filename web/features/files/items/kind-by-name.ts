import { extensionOf } from '../../../../shared/path.ts'
import { type GlyphKind, kindOf } from '../../../ui/kind.ts'

const MEDIA: Partial<Record<GlyphKind, string>> = {
  image: 'avif bmp cr2 dng gif heic ico jpeg jpg nef png svg tif tiff webp',
  audio: 'aac aif aiff flac m4a mid midi mp3 oga ogg opus wav wma',
  video: 'avi flv m4v mkv mov mp4 mpeg mpg ogv webm wmv',
  pdf: 'pdf',
  text: 'ini log md rst txt',
}

const KINDS = new Map(
  Object.entries(MEDIA).flatMap(([kind, list]) => list.split(' ').map(ext => [ext, kind as GlyphKind] as const)),
)

/** The icon of an item of which only the name is known. */
export function kindByName(name: string, isDir: boolean): GlyphKind {
  const extension = extensionOf(name)
  const media = isDir ? undefined : KINDS.get(extension.slice(1).toLowerCase())
  return media ?? kindOf({ isDir, type: 'blob', extension })
}
