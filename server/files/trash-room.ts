import { type FilePath, isWithin, ROOT } from '../../shared/path.ts'
import type { KeptAt, KeptThings } from '../storage/driver.ts'
import type { Base } from './base.ts'
import type { AreaSum } from './trash-records.ts'

/** What the trash takes of one disk. */
export interface Room {
  /** The folder in the scope at which the disk begins; the scope itself where it begins above. */
  place: FilePath
  /** Of what the user may see. */
  count: number
  bytes: number
  /** Missing while the disk is not there. */
  disk?: {
    /** Bytes; infinite where the store has no size. */
    total: number
    free: number
    /** Things deleted for good whose space is not free yet. */
    leaving: number
  }
}

/** The number and the bytes of things, by the area in which they lie. */
export async function sumsOf(things: AsyncIterable<{ at: KeptAt; size: number }>): Promise<AreaSum[]> {
  const sums = new Map<string, AreaSum>()
  for await (const { at, size } of things) {
    const key = `${at.home}\0${at.area}`
    const { count, bytes } = sums.get(key) ?? { count: 0, bytes: 0 }
    sums.set(key, { home: at.home, area: at.area, count: count + 1, bytes: bytes + size })
  }
  return [...sums.values()]
}

/** The disks of areas. */
export function roomsOf(kept: KeptThings, base: Base, sums: readonly AreaSum[]): Promise<Room[]> {
  const { elsewhere = [] } = base
  /** Of a disk that begins above the folders of it that the scope has, the first of them. */
  const pathOf = (home: FilePath) => {
    const inside = elsewhere.find(folder => isWithin(folder, home))
    return base.pathOf(home) ?? (inside && base.pathOf(inside)) ?? ROOT
  }
  return Promise.all(
    sums.map(async ({ home, area, count, bytes }) => {
      const place = pathOf(home)
      const there = await areaOf(kept, home, area)
      if (!there) return { place, count, bytes }
      const { total, free } = there
      const leaving = (await kept.leaving?.(there).catch(() => 0)) ?? 0
      return { place, count, bytes, disk: { total, free, leaving } }
    }),
  )
}

/** The area that is recorded, if its disk is there. */
async function areaOf(kept: KeptThings, home: FilePath, area: string) {
  const own = await kept.area(home).catch(() => undefined)
  if (own?.area === area) return own
  const cans = (await kept.cans?.().catch(() => [])) ?? []
  return cans.find(can => can.home === home && can.area === area)
}
