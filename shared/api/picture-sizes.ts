import * as z from 'zod/mini'

/** Response of `GET /api/picture-sizes/{folder}`, in the order of the requested names (http-api 6). */
export const PictureSizes = z.object({
  /** Width and height in pixels, as shown; `null` where they are unknown. */
  sizes: z.array(z.nullable(z.tuple([z.int(), z.int()]))),
  /** When the image was taken by the clock of the camera, such as `2024-05-01T12:34:56`; `null` where that is unknown. */
  taken: z.array(z.nullable(z.string())),
})
export type PictureSizes = z.infer<typeof PictureSizes>
