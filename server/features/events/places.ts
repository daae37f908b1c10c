import type { Cluster } from '../../cluster/cluster.ts'

/** The longest that a timer waits, in milliseconds. */
const LONGEST_WAIT = 86_400_000

interface PlacesDeps {
  cluster: Pick<Cluster, 'subscribe'>
  /** When a part of what the user has ends next, in milliseconds since the epoch; `undefined` for never. */
  nextEnd(): Promise<number | undefined>
}

/**
 * Announces that what others share with a user, or the folders of other roots that the user has, may have changed: when
 * others change it, and at the moment when a part of it ends.
 * @returns stops it
 */
export function announcePlaces({ cluster, nextEnd }: PlacesDeps, userId: number, announce: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const wait = async () => {
    const end = await nextEnd().catch(() => undefined)
    clearTimeout(timer)
    if (isOver || end === undefined) return
    const reached = () => {
      if (Date.now() >= end) announce()
      void wait()
    }
    timer = setTimeout(reached, Math.min(Math.max(end - Date.now(), 0), LONGEST_WAIT))
  }
  const changed = () => {
    announce()
    void wait()
  }
  const unsubscribe = [
    cluster.subscribe('access.changed', changed),
    cluster.subscribe('user.changed', ({ id }) => id === userId && changed()),
  ]
  void wait()
  return () => {
    isOver = true
    clearTimeout(timer)
    for (const end of unsubscribe) end()
  }
}
