import * as z from 'zod/mini'

/**
 * The colours of an image in three rows of three, as shown: red, green and blue of each in a byte, from the upper left,
 * in base64.
 */
export const Colours = z.string().check(z.regex(/^[A-Za-z0-9+/]{36}$/))

/** Response of `GET /api/picture-sizes/{folder}`, in the order of the requested names (http-api 6). */
export const PictureSizes = z.object({
  /** Width and height in pixels, as shown; `null` where they are unknown. */
  sizes: z.array(z.nullable(z.tuple([z.int(), z.int()]))),
  /** When the image was taken by the clock of the camera, such as `2024-05-01T12:34:56`; `null` where that is unknown. */
  taken: z.array(z.nullable(z.string())),
  /** `null` where no preview has been made yet. */
  colours: z.array(z.nullable(Colours)),
})
export type PictureSizes = z.infer<typeof PictureSizes>
