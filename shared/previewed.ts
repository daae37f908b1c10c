import { CAMERA_FILES } from './camera.ts'
import { extensionOf } from './path.ts'

/** Extensions of the files with previews, by generator; in lower case, with their dots. */
const PREVIEWED = {
  image: list('jpg jpeg jpe png gif webp avif tif tiff'),
  bmp: list('bmp'),
  heic: list('heic heif hif'),
  camera: Object.keys(CAMERA_FILES),
  pdf: list('pdf'),
  cover: list('mp3 m4a m4b flac ogg oga opus'),
  video: list('mp4 m4v mov webm mkv avi mpg mpeg m2ts ogv flv wmv 3gp vob'),
} as const satisfies Record<string, readonly string[]>

function list(extensions: string): string[] {
  return extensions.split(' ').map(extension => `.${extension}`)
}

export type PreviewedAs = keyof typeof PREVIEWED

const BY_EXTENSION = new Map(
  Object.entries(PREVIEWED).flatMap(([kind, extensions]) =>
    extensions.map(each => [each, kind as PreviewedAs] as const),
  ),
)

/** The generator of previews for a file name; `undefined` if there is none. */
export const previewedAs = (name: string): PreviewedAs | undefined => BY_EXTENSION.get(extensionOf(name).toLowerCase())
