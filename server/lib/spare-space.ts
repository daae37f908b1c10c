/** A share of a disk, up to this many bytes. */
const SPARE = { share: 0.05, most: 20 * 2 ** 30 }

/** Bytes of a disk that kept things leave free. @param total of the disk @param chosen by the host */
export const spareOf = (total: number, chosen: number | undefined): number =>
  chosen ?? Math.min(total * SPARE.share, SPARE.most)
